// The clock for limits on workers: it counts only the time in which the supervisor itself ran. A supervisor that was
// suspended or late must not kill its workers because it did not read their frames.
import type { Clock } from '../../shared/runtime/clock.js';

/**
 * The loop ticks every 250 or 500 ms. Of a longer gap only this much counts: a tick may be late by 250 ms and counts in full, and
 * a worker that sent a frame a second before the gap is not silent after it.
 */
const maxStepMs = 750;

export class AwakeClock {
  readonly #clock: Clock;
  #tickedAt: number;
  #awakeMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#tickedAt = clock.monotonicMs();
  }

  /** Milliseconds awake since the start. Monotonic; never more than real time. */
  nowMs(): number {
    return this.#awakeMs + Math.min(maxStepMs, this.#clock.monotonicMs() - this.#tickedAt);
  }

  /** Called at every tick. Returns for how long the supervisor stood still before it; 0 for a tick in time. */
  tick(): number {
    const now = this.#clock.monotonicMs();
    const stepMs = now - this.#tickedAt;
    this.#awakeMs += Math.min(maxStepMs, stepMs);
    this.#tickedAt = now;
    return Math.max(0, stepMs - maxStepMs);
  }
}
