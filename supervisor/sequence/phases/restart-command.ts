// The command of a restart of this host: the step that runs it, and what its outcome means. Pure.
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import type { StepOutcome } from '../outcome.js';
import { withInstead } from './power-off.js';

/** The step with the restart as its command; null where it has none. */
export const withRestart = (step: PlanStep): PlanStep | null => withInstead(step, 'restart');

/** Of a command that has not answered it is not known. */
export function mayHaveBeenGiven(outcome: StepOutcome): boolean {
  return outcome.kind !== 'failed' || outcome.how === 'timeout' || outcome.maybeSent === true;
}

export const refusal = (outcome: StepOutcome): string =>
  `the restart failed: ${outcome.kind === 'failed' ? outcome.reason : outcome.kind}`;
