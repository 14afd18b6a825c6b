// The command of a restart of this host: the step that runs it, and what its outcome means. Pure.
import type { PlanStep } from '../../../shared/domain/outage/plan.js';
import type { StepOutcome } from '../outcome.js';
import { withInstead } from './power-off.js';

/** The step with the restart as its command; null where it has none. */
export const withRestart = (step: PlanStep): PlanStep | null => withInstead(step, 'restart');

/** Of a command that has not answered it is not known. A delegate to which no login came in time has got none. */
export function mayHaveBeenGiven(outcome: StepOutcome): boolean {
  if (outcome.kind !== 'failed' || outcome.maybeSent === true) return true;
  return outcome.how === 'timeout' && outcome.neverSent !== true;
}

export const refusal = (outcome: StepOutcome): string =>
  `the restart failed: ${outcome.kind === 'failed' ? outcome.reason : outcome.kind}`;

/** Why the first look leaves an output on. */
export const staysOn = {
  powerIsBack: 'power is back: the output stays on, and this host does not power off',
  mayRestart: 'the output stays on: a restart of this host may come still',
} as const;

/**
 * A killed daemon may have given the first: logind refuses another one while that is under way ("There's already a shutdown or sleep
 * operation in progress").
 */
export function ofSecondRequest(outcome: StepOutcome): StepOutcome {
  return outcome.kind === 'failed' ? { ...outcome, maybeSent: true } : outcome;
}
