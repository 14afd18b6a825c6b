// How long a step may take, and that it takes no longer: what is not done in time is left behind, not waited for.
import type { PlanStep } from '../../shared/domain/plan.js';
import { formatSeconds } from '../../shared/domain/duration.js';
import type { Actuator } from './actuator.js';
import type { StepOutcome } from './outcome.js';
import { failed } from './outcome.js';

/** An appointment that can be taken back by calling what it returns; a fake one in tests. */
export type SetTimer = (ms: number, then: () => void) => () => void;

/**
 * The step with what is left of its budget when it was begun `elapsedMs` ago by a daemon that is gone. Time runs on
 * while no daemon lives; but what gives a machine its last command keeps the time for just that, and the power-off of
 * this host its whole: late is better than never.
 */
export function withWhatIsLeft(step: PlanStep, elapsedMs: number): PlanStep {
  const left = step.budgetSeconds - Math.max(0, elapsedMs) / 1000;
  return { ...step, budgetSeconds: Math.max(left, Math.min(leastSeconds(step), step.budgetSeconds)) };
}

function leastSeconds({ action, budgetSeconds }: PlanStep): number {
  switch (action.kind) {
    case 'remote':
    case 'poweroffDelegate':
      return action.work.final === null
        ? 0
        : action.work.connectTimeoutSeconds + action.work.commandTimeoutSeconds;
    case 'poweroff':
      return budgetSeconds;
    case 'wall':
    case 'stopVirtualMachines':
    case 'stopCompose':
    case 'stopContainers':
    case 'sync':
    case 'unmount':
    case 'upsOutputOff':
      return 0;
  }
}

/** The step's outcome, or a failure when its budget is used up, whether the actuator notices or not. Begins at once. */
export function withinBudget(step: PlanStep, actuator: Actuator, setTimer: SetTimer): Promise<StepOutcome> {
  const budget = new AbortController();
  return new Promise((resolve) => {
    if (step.budgetSeconds <= 0) {
      resolve(timedOut('its time was used up while the daemon was down'));
      return;
    }
    const cancel = setTimer(step.budgetSeconds * 1000, () => {
      budget.abort();
      resolve(timedOut(`not done within its ${formatSeconds(step.budgetSeconds)}; left behind`));
    });
    const settle = (outcome: StepOutcome) => {
      cancel();
      resolve(outcome);
    };
    actuator
      .perform(step, budget.signal)
      .then(settle, (bug: unknown) => settle(failed(`internal error: ${String(bug)}`)));
  });
}

const timedOut = (reason: string): StepOutcome => ({ kind: 'failed', how: 'timeout', reason });
