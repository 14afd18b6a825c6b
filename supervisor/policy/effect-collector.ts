// Collects the effects of one step. It is the only mutable object that the state machines write to; it performs
// nothing.
import type { EventType } from '../../shared/domain/events.js';
import type { Effect } from './effects.js';
import type { SequenceCause } from '../../shared/domain/states.js';

export class EffectCollector {
  readonly #urgent: Effect[] = [];
  readonly #rest: Effect[] = [];
  readonly #changed: string[] = [];
  #save = false;
  #saveFirst = false;

  /** Records an event. */
  event(source: string, type: EventType, detail: string): void {
    this.#rest.push({ kind: 'recordEvent', source, type, detail });
  }

  /** Records an event and sends a notification. */
  alert(source: string, type: EventType, detail: string, text: string): void {
    this.event(source, type, detail);
    this.message(source, type, text);
  }

  /** Sends a notification for an event that is already recorded. */
  message(source: string, type: EventType, text: string): void {
    this.#rest.push({ kind: 'notify', source, type, text });
  }

  startSequence(groupId: string, trigger: SequenceCause, why: string): void {
    this.#urgent.push({ kind: 'startSequence', groupId, trigger, why });
  }

  powerReturned(groupId: string): void {
    this.#urgent.push({ kind: 'powerReturned', groupId });
  }

  prepare(groupId: string): void {
    this.#rest.push({ kind: 'prepare', groupId });
  }

  rowChanged(groupId: string): void {
    this.#changed.push(groupId);
  }

  requestSnapshot(): void {
    this.#save = true;
  }

  /** The power source has changed. */
  requestSnapshotFirst(): void {
    this.#save = true;
    this.#saveFirst = true;
  }

  /** All effects in the order in which they are performed: commands before display. */
  effects(): readonly Effect[] {
    const effects = this.#urgent.concat(this.#rest);
    if (this.#save) effects.push({ kind: 'saveSnapshot', first: this.#saveFirst });
    for (const groupId of this.#changed) effects.push({ kind: 'publish', groupId });
    return effects;
  }
}
