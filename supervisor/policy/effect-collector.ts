// What one step wants done, collected in order. The only thing a machine may write to; performed by nobody in here.
import type { EventType } from '../../shared/domain/events.js';
import type { Effect } from './effects.js';
import type { Cause } from './shutdown.js';

export class EffectCollector {
  readonly #urgent: Effect[] = [];
  readonly #rest: Effect[] = [];
  readonly #changed: string[] = [];
  #save = false;

  /** A row for the events table, nothing more. */
  event(source: string, type: EventType, detail: string): void {
    this.#rest.push({ kind: 'recordEvent', source, type, detail });
  }

  /** A row for the events table and a message to people. */
  alert(source: string, type: EventType, detail: string, text: string): void {
    this.event(source, type, detail);
    this.message(source, type, text);
  }

  /** A message to people about what has its row already. */
  message(source: string, type: EventType, text: string): void {
    this.#rest.push({ kind: 'notify', source, type, text });
  }

  startSequence(group: string, trigger: Cause, detail: string): void {
    this.#urgent.push({ kind: 'startSequence', group, trigger, detail });
  }

  powerReturned(group: string): void {
    this.#urgent.push({ kind: 'powerReturned', group });
  }

  prepare(group: string): void {
    this.#rest.push({ kind: 'prepare', group });
  }

  rowChanged(groupId: string): void {
    this.#changed.push(groupId);
  }

  requestSnapshot(): void {
    this.#save = true;
  }

  /** Everything, in the order in which it is to be performed: what saves machines first, what is only looked at last. */
  effects(): readonly Effect[] {
    const effects = this.#urgent.concat(this.#rest);
    if (this.#save) effects.push({ kind: 'saveSnapshot' });
    for (const groupId of this.#changed) effects.push({ kind: 'publish', groupId });
    return effects;
  }
}
