// Delays the events of sequences while an action runs, so that they follow their cause. It never drops an event.
import type { RecordedEvent } from '../events/event-recorder.js';
import type { Guard } from '../guard/guard.js';

export class DeferredEvents {
  readonly #record: (event: RecordedEvent) => void;
  readonly #guard: Guard;
  /** Undefined while no action runs. */
  #held: RecordedEvent[] | undefined;

  constructor(record: (event: RecordedEvent) => void, guard: Guard) {
    this.#record = record;
    this.#guard = guard;
  }

  record(event: RecordedEvent): void {
    if (this.#held === undefined) this.#record(event);
    else this.#held.push(event);
  }

  /** Runs `act`, then records the delayed events. Within another call, the outer one records them. */
  after(place: string, act: () => void): void {
    if (this.#held !== undefined) {
      this.#guard.run(place, act);
      return;
    }
    const held: RecordedEvent[] = [];
    this.#held = held;
    this.#guard.run(place, act);
    this.#held = undefined;
    for (const event of held) this.#record(event);
  }
}
