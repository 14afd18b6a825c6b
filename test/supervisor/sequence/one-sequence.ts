// A sequence under test, and its plans.
import type { Plan, PlanStep } from '../../../shared/domain/outage/plan.js';
import { Guard } from '../../../supervisor/guard/guard.js';
import type { SequenceObserver } from '../../../supervisor/sequence/observer.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';
import type { PastProgress } from '../../../supervisor/sequence/run.js';
import { Sequence } from '../../../supervisor/sequence/run.js';
import { progressOfSteps } from '../../../supervisor/sequence/step-progress.js';
import type { JournalEntry } from '../../../supervisor/sequence/journal/entries.js';
import { foldOf } from '../../../supervisor/sequence/journal/record.js';
import { idleLog } from '../../fixtures/idle-parts.js';
import { planPhase, planStep, planWith } from '../../fixtures/plans.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';

export function step(id: string, destructive: boolean, budgetSeconds = 10): PlanStep {
  return planStep(id, { destructive, budgetSeconds, action: { kind: 'wall', message: id } });
}

export function plan(...lists: PlanStep[][]): Plan {
  return planWith(lists.map((list) => planPhase('local_poweroff', list)));
}

function entriesOfPast(group: string, past: PastProgress | undefined): readonly JournalEntry[] {
  return [...(past?.steps ?? [])].flatMap(
    ([id, { beganMs, beganUnixSeconds, ended }]): readonly JournalEntry[] => [
      { kind: 'stepBegan', group, step: id, atMs: beganMs, unixSeconds: beganUnixSeconds },
      ...(ended === null ? [] : [{ kind: 'stepEnded', group, step: id, ...ended } as const]),
    ],
  );
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
  const cause = { trigger: 'LOW_BATTERY', why: 'charge 5 %', firedAtUnixSeconds: 1 } as const;
  const record = foldOf([
    { kind: 'decided', group: thePlan.group, cause, plan: thePlan, atMs: 0, unixSeconds: 0 },
    ...entriesOfPast(thePlan.group, past),
  ]);
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
        record.add({
          ...entry,
          group: thePlan.group,
          atMs: time.monotonicMs(),
          unixSeconds: time.wallSeconds(),
        });
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
  const steps = () => progressOfSteps(thePlan, record.groups.get(thePlan.group));
  return { sequence, steps, time, calls, aborted, end, begun, budgets, written, record };
}
