// What the plan invariant records between two inputs, in order. Types only.
import type { RecordedEvent } from '../../../supervisor/events/event-recorder.js';
import type { StepOutcome } from '../../../supervisor/sequence/outcome.js';

export type PlanObservation =
  | { readonly kind: 'event'; readonly event: RecordedEvent }
  | { readonly kind: 'began'; readonly key: string; readonly by: object }
  | {
      readonly kind: 'ended';
      readonly key: string;
      readonly by: object;
      readonly outcome: StepOutcome | null;
    }
  | { readonly kind: 'commanded'; readonly server: string };

export type Timed = PlanObservation & {
  readonly atMs: number;
  /** The disk is full, or the daemon has not been notified yet. */
  readonly isUnwritten: boolean;
};
