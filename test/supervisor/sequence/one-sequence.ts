// A sequence under test, and its plans.
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

/** A sequence whose steps end when the test ends them. */
export function rig(
  thePlan: Plan,
  powerIsBack = () => false,
  past?: PastProgress,
  gate: () => Promise<void> | null = () => null,
  observer: Partial<SequenceObserver> = {},
  noWait: () => string | null = () => null,
) {
  const time = new FakeTime();
  const calls: string[] = [];
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
      sharedSinceMs: () => undefined,
      serverEnd: () => undefined,
      noWait,
      write: (entry) => {
        const about = 'step' in entry ? entry.step : 'phase' in entry ? entry.phase : '';
        written.push(`${entry.kind} ${about}`.trim());
      },
      actuator: {
        perform: ({ id, budgetSeconds }, signal) => {
          calls.push(`begin ${id}`);
          budgets.set(id, budgetSeconds);
          signal.addEventListener('abort', () => aborted.push(id));
          return new Promise((resolve) => ends.set(id, resolve));
        },
      },
      observer: {
        phaseStarted: () => calls.push('phase'),
        phaseFinished: (_, all) =>
          calls.push(
            `phase done, ${String(all.filter(({ outcome }) => outcome.kind === 'failed').length)} failed`,
          ),
        stepFailed: ({ id }, reason) => calls.push(`failed ${id}: ${reason}`),
        changed: () => undefined,
        finished: () => calls.push('finished'),
        ...observer,
      },
    },
    past,
  );
  const end = async (id: string, outcome: StepOutcome = { kind: 'done' }) => {
    ends.get(id)?.(outcome);
    await settled();
  };
  const begun = () => calls.filter((line) => line.startsWith('begin ')).map((line) => line.slice(6));
  return { sequence, time, calls, aborted, end, begun, budgets, written };
}
