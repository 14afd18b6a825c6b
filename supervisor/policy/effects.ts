// Everything policy can ask for. Data only: a thin shell performs it (supervisor/engine/perform-effects.ts).
import type { EventType } from '../../shared/domain/events.js';
import type { TriggerName } from '../../shared/domain/states.js';

export type Effect =
  /** A row for the events table. `source` is a groupId or `daemon`. */
  | {
      readonly kind: 'recordEvent';
      readonly source: string;
      readonly type: EventType;
      readonly detail: string;
    }
  /** A message to people. `type` decides suppression; `text` says what happened, what it means and what to do. */
  | { readonly kind: 'notify'; readonly source: string; readonly type: EventType; readonly text: string }
  /** Run the plan of `group` (a groupId), now. Comes at most once per outage. */
  | {
      readonly kind: 'startSequence';
      readonly group: string;
      /** A trigger of a UPS, or QUORUM_LOST for a redundancy group. */
      readonly trigger: TriggerName | 'QUORUM_LOST';
      readonly detail: string;
    }
  /** Power is back (confirmed): a sequence of `group` that has begun no destructive step is to be cancelled. */
  | { readonly kind: 'powerReturned'; readonly group: string }
  /** A UPS has gone on battery: workers that will be needed get ready. */
  | { readonly kind: 'prepare'; readonly group: string }
  /** The row of this UPS or redundancy group has changed and is to be published. */
  | { readonly kind: 'publish'; readonly groupId: string }
  /** State that must survive a restart has changed. */
  | { readonly kind: 'saveSnapshot' };
