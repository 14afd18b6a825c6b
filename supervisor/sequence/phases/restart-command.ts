// The command of a restart of this host: the step that runs it, and what its outcome means. Pure.
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import type { StepOutcome } from '../outcome.js';

/** The step with the restart as its command; null where it has none. */
export function withRestart(step: PlanStep): PlanStep | null {
  const { action } = step;
  if (action.kind === 'poweroff' && action.restart !== undefined)
    return { ...step, action: { ...action, command: action.restart } };
  if (action.kind === 'poweroffDelegate' && action.restart !== undefined)
    return { ...step, action: { ...action, work: { ...action.work, final: action.restart } } };
  return null;
}

/** Of a command that has not answered it is not known. */
export function mayHaveBeenGiven(outcome: StepOutcome): boolean {
  return outcome.kind !== 'failed' || outcome.how === 'timeout' || outcome.maybeSent === true;
}

export const refusal = (outcome: StepOutcome): string =>
  `the restart: ${outcome.kind === 'failed' ? outcome.reason : outcome.kind}`;
