// Collects the effects of one step. It is the only mutable object that the state machines write to; it performs
// nothing. What is only shown comes after the decision, and an exception in it costs nothing else.
import type { EventType } from '../../../shared/domain/status/events.js';
import type { Effect } from './effects.js';
import type { SequenceCause } from '../../../shared/domain/status/states.js';

/** A part of a step that threw. The other parts of the step stand. */
export interface Loss {
  readonly place: string;
  readonly error: unknown;
  /** The group of which nothing was decided; null: only something to be shown is lost. */
  readonly undecided: string | null;
}

export class EffectCollector {
  readonly #urgent: Effect[] = [];
  readonly #rest: Effect[] = [];
  readonly #changed: string[] = [];
  readonly #reports: { readonly place: string; readonly act: () => unknown }[] = [];
  readonly #lost: Loss[] = [];
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
    this.report('a preparation', () => this.#rest.push({ kind: 'prepare', groupId }));
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

  /** Runs `act`, which words events and notifications, when the step has decided. */
  report(place: string, act: () => unknown): void {
    this.#reports.push({ place, act });
  }

  /** A value that is only shown; `otherwise` when it throws. */
  shown<T>(place: string, otherwise: T, act: () => T): T {
    try {
      return act();
    } catch (error) {
      this.#lost.push({ place, error, undecided: null });
      return otherwise;
    }
  }

  /** The part of one UPS or group: when it throws it has no effect, and `otherwise` stays. */
  part<T>(place: string, groupId: string, otherwise: T, act: () => T): T {
    const all = [this.#urgent, this.#rest, this.#changed, this.#reports];
    const before = all.map((effects) => [effects, effects.length] as const);
    try {
      return act();
    } catch (error) {
      for (const [effects, length] of before) effects.length = length;
      this.#lost.push({ place: `${place} of ${groupId}`, error, undecided: groupId });
      return otherwise;
    }
  }

  get lost(): readonly Loss[] {
    return this.#lost;
  }

  /** All effects in the order in which they are performed: commands before display. */
  effects(): readonly Effect[] {
    for (const { place, act } of this.#reports) this.shown<unknown>(place, null, act);
    const effects = this.#urgent.concat(this.#rest);
    if (this.#save) effects.push({ kind: 'saveSnapshot', first: this.#saveFirst });
    for (const groupId of this.#changed) effects.push({ kind: 'publish', groupId });
    return effects;
  }
}
