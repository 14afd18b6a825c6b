// Enforces the budget of a step: abandons a step that is not done in time, never waits for it.
import { kindOf } from '../../shared/domain/actions/table.js';
import type { PlanStep } from '../../shared/domain/outage/plan.js';
import { formatSeconds } from '../../shared/domain/base/duration.js';
import type { SetTimer } from '../host/timer.js';
import type { Actuator } from './actuator.js';
import type { StepOutcome } from './outcome.js';
import { failureOf } from './outcome.js';

/**
 * The step with the rest of its budget, `elapsedMs` after a previous daemon started it. The budget also runs while no daemon
 * does. A step with a final command, or with one to the NUT server, keeps at least the time for that command. The power-off of
 * this host keeps its full budget: a late command is better than none. So does a try, which ends with the other steps of its phase.
 */
export function withRemainingBudget(step: PlanStep, elapsedMs: number): PlanStep {
  const left = step.budgetSeconds - Math.max(0, elapsedMs) / 1000;
  const least = kindOf(step.action).leastSeconds(step.action, step.budgetSeconds);
  return { ...step, budgetSeconds: Math.max(left, Math.min(least, step.budgetSeconds)) };
}

/**
 * The outcome of the step, or a failure when its budget is used up. Starts the step before it returns. `ends` abandons it
 * earlier, with the text of its reason: nothing has failed then.
 */
export function withinBudget(
  step: PlanStep,
  actuator: Actuator,
  setTimer: SetTimer,
  ends?: AbortSignal,
): Promise<StepOutcome> {
  const budget = new AbortController();
  return new Promise((resolve) => {
    if (step.budgetSeconds <= 0) {
      resolve(timedOut(step, 'its budget was used up while the daemon was down'));
      return;
    }
    const cancel = setTimer(step.budgetSeconds * 1000, () => {
      budget.abort();
      resolve(
        timedOut(step, `not done within its budget of ${formatSeconds(step.budgetSeconds)}; abandoned`),
      );
    });
    const end = (): void => {
      cancel();
      budget.abort();
      resolve({ kind: 'skipped', reason: String(ends?.reason) });
    };
    if (ends?.aborted === true) end();
    else ends?.addEventListener('abort', end);
    const settle = (outcome: StepOutcome) => {
      cancel();
      resolve(outcome);
    };
    actuator
      .perform(step, budget.signal)
      .then(settle, (bug: unknown) => settle(failureOf(`internal error: ${String(bug)}`)));
  });
}

/** Settles when `signal` is aborted: nothing else may wait for what cannot be ended. */
export function untilAbandoned(step: PlanStep, signal: AbortSignal): Promise<StepOutcome> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(timedOut(step, 'not done within its budget; abandoned')));
  });
}

/** A worker that has not answered about a server may have sent its final command. */
function timedOut({ action }: PlanStep, reason: string): StepOutcome {
  const isServer = kindOf(action).serverOf(action) !== null;
  return { kind: 'failed', how: 'timeout', reason, ...(isServer && { neverSent: true, maybeSent: true }) };
}
