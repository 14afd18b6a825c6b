// The time that counts against workers: only that in which the supervisor itself was awake and turning. A supervisor
// that was suspended or late must not kill everybody for its own silence.
import type { Clock } from '../../shared/runtime/clock.js';

/** The loop ticks every 250 ms; of a longer gap only this much is counted: twice a tick, so that a late one still is. */
const maxStepMs = 500;

export class AwakeClock {
  readonly #clock: Clock;
  #tickedAt: number;
  #awakeMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#tickedAt = clock.monotonicMs();
  }

  /** Waking milliseconds since the beginning; never more than real time, never running back. */
  nowMs(): number {
    return this.#awakeMs + Math.min(maxStepMs, this.#clock.monotonicMs() - this.#tickedAt);
  }

  /** To be called at every tick. Returns how long the supervisor stood still before it, 0 when it was in time. */
  tick(): number {
    const now = this.#clock.monotonicMs();
    const stepMs = now - this.#tickedAt;
    this.#awakeMs += Math.min(maxStepMs, stepMs);
    this.#tickedAt = now;
    return Math.max(0, stepMs - maxStepMs);
  }
}
