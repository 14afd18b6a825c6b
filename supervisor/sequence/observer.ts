// The observer of a sequence. It cannot disturb the sequence: its exceptions are logged as bugs.
import type { PlanPhase, PlanStep } from '../../shared/domain/outage/plan.js';
import type { StepOutcome } from './outcome.js';

export interface StepEnd {
  readonly step: PlanStep;
  readonly outcome: StepOutcome;
}

/** Called while a sequence runs; `model()` is up to date at each call. */
export interface SequenceObserver {
  phaseStarted(phase: PlanPhase): void;
  phaseFinished(phase: PlanPhase, ends: readonly StepEnd[]): void;
  stepFailed(step: PlanStep, reason: string): void;
  changed(): void;
  /** The last call; `state` is cancelled or ended. */
  finished(): void;
}

const nothing = (): void => undefined;
/** The fallback of an observer that throws. */
export const noSequenceObserver: SequenceObserver = {
  phaseStarted: nothing,
  phaseFinished: nothing,
  stepFailed: nothing,
  changed: nothing,
  finished: nothing,
};
