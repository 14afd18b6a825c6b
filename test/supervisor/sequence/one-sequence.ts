// A sequence under test, and the plans it runs.
import type { Plan, PlanStep } from '../../../shared/domain/plan.js';
import { Guard } from '../../../supervisor/guard/guard.js';
import type { SequenceObserver } from '../../../supervisor/sequence/observer.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import type { PastProgress } from '../../../supervisor/sequence/run.js';
import { Sequence } from '../../../supervisor/sequence/run.js';
import { idleLog } from '../../fixtures/idle-parts.js';
import { planPhase, planStep, planWith } from '../../fixtures/plans.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';

export function step(id: string, destructive: boolean, budgetSeconds = 10): PlanStep {
  return planStep(id, { destructive, budgetSeconds, action: { kind: 'wall', message: id } });
}

export function plan(...lists: PlanStep[][]): Plan {
  return planWith(lists.map((list) => planPhase('local_poweroff', list)));
}

/** A sequence whose steps end when the test says so. */
export function rig(
  thePlan: Plan,
  powerIsBack = () => false,
  past?: PastProgress,
  gate: () => Promise<void> | null = () => null,
  observer: Partial<SequenceObserver> = {},
) {
  const time = new FakeTime();
  const told: string[] = [];
  const ends = new Map<string, (outcome: StepOutcome) => void>();
  const aborted: string[] = [];
  const budgets = new Map<string, number>();
  const written: string[] = [];
  const sequence = new Sequence(
    thePlan,
    {
      guard: new Guard(idleLog),
      clock: time,
      setTimer: time.setTimer,
      powerIsBack,
      gate,
      commandedSinceMs: () => undefined,
      journal: {
        write: (record) => {
          const about = 'step' in record ? record.step : 'phase' in record ? record.phase : '';
          written.push(`${record.kind} ${about}`.trim());
        },
      },
      actuator: {
        perform: ({ id, budgetSeconds }, signal) => {
          told.push(`begin ${id}`);
          budgets.set(id, budgetSeconds);
          signal.addEventListener('abort', () => aborted.push(id));
          return new Promise((resolve) => ends.set(id, resolve));
        },
      },
      observer: {
        phaseStarted: () => told.push('phase'),
        phaseFinished: (_, all) =>
          told.push(
            `phase done, ${String(all.filter(({ outcome }) => outcome.kind === 'failed').length)} failed`,
          ),
        stepFailed: ({ id }, reason) => told.push(`failed ${id}: ${reason}`),
        changed: () => undefined,
        finished: () => told.push('finished'),
        ...observer,
      },
    },
    past,
  );
  const end = async (id: string, outcome: StepOutcome = { kind: 'done' }) => {
    ends.get(id)?.(outcome);
    await settled();
  };
  const begun = () => told.filter((line) => line.startsWith('begin ')).map((line) => line.slice(6));
  return { sequence, time, told, aborted, end, begun, budgets, written };
}
