// Who listens to a sequence. A listener cannot disturb it: what it throws is logged as a bug.
import type { PlanPhase, PlanStep } from '../../shared/domain/plan.js';
import type { StepOutcome } from './outcome.js';

export interface StepEnd {
  readonly step: PlanStep;
  readonly outcome: StepOutcome;
}

/** What a sequence tells while it runs; every call is followed by a new `model()`. */
export interface SequenceObserver {
  phaseStarted(phase: PlanPhase): void;
  phaseFinished(phase: PlanPhase, ends: readonly StepEnd[]): void;
  stepFailed(step: PlanStep, reason: string): void;
  changed(): void;
  /** Last of all; `state` is cancelled or ended. */
  finished(): void;
}

const nothing = (): void => undefined;
/** Hears nothing. */
export const silent: SequenceObserver = {
  phaseStarted: nothing,
  phaseFinished: nothing,
  stepFailed: nothing,
  changed: nothing,
  finished: nothing,
};
