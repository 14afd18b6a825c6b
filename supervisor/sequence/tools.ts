// What sequences work with. Types only. Whoever makes them guards them: a call of theirs that throws is a bug of ours.
import type { EventType } from '../../shared/domain/events.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Guard } from '../guard.js';
import type { Performers } from './actuator.js';
import type { Later } from './budget.js';
import type { RunCommand } from './command.js';
import type { JournalStore } from './journal.js';

export interface SequencesTools {
  readonly guard: Guard;
  readonly run: RunCommand;
  readonly later: Later;
  readonly clock: Clock;
  readonly log: Logger;
  readonly journals: JournalStore;
  /** Of all kinds of actions but the two that are commands of this host itself; for the delegate, one try. */
  readonly performers: Omit<Performers, 'wall' | 'poweroff'>;
  /** Records an event and tells people. */
  readonly record: (group: string, type: EventType, detail: string) => void;
  /** The read model of the sequence has changed. */
  readonly changed: () => void;
  /** A sequence is over: policy re-arms the group by this and by nothing else. */
  readonly ended: (group: string, cancelled: boolean) => void;
  /** True when the group's power is confirmed to be back. */
  readonly powerIsBack: (group: string) => boolean;
  /** True when a reading since the start of this daemon shows the group on battery. */
  readonly isSeenOnBattery: (group: string) => boolean;
}
