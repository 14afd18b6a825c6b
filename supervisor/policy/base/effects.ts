// The effects of policy, as data. supervisor/engine/perform-effects.ts performs them.
import type { EventType } from '../../../shared/domain/status/events.js';
import type { SequenceCause } from '../../../shared/domain/status/states.js';

/** What requests the sequence now. */
export interface ShutdownRequest<C extends SequenceCause = SequenceCause> {
  readonly trigger: C;
  readonly why: string;
}

export type Effect =
  /** An event. `source` is a groupId or `daemon`. */
  | {
      readonly kind: 'recordEvent';
      readonly source: string;
      readonly type: EventType;
      readonly detail: string;
    }
  /** A notification. `type` decides suppression; `text` says what happened, what it means and what to do. */
  | { readonly kind: 'notify'; readonly source: string; readonly type: EventType; readonly text: string }
  /** Start the plan of the group. At most once per outage. */
  | (ShutdownRequest & { readonly kind: 'startSequence'; readonly groupId: string })
  /** The return of power is confirmed: a sequence of the group before its first destructive step is cancelled. */
  | { readonly kind: 'powerReturned'; readonly groupId: string }
  /** A UPS of the group has gone on battery: workers that will be needed get ready. */
  | { readonly kind: 'prepare'; readonly groupId: string }
  /** The row of this UPS or redundancy group has changed. */
  | { readonly kind: 'publish'; readonly groupId: string }
  /** State that must survive a restart has changed. `first`: the power source; it is saved before it is shown. */
  | { readonly kind: 'saveSnapshot'; readonly first: boolean };
