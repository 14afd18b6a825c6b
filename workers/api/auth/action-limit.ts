// Limits the actions of each principal, in sliding windows. Each action leaves an audit row, which is kept for years. A faulty
// script or a stolen key must not fill the history.
import type { Clock } from '../../../shared/runtime/clock.js';
import type { Principal } from '../http/peer.js';

/** A user does not reach 20 in a second; a script with a command to 50 UPSes a minute does not reach 300 in five minutes. */
const limits = [
  { most: 20, withinMs: 1_000 },
  { most: 300, withinMs: 300_000 },
];
const maxWindowMs = Math.max(...limits.map(({ withinMs }) => withinMs));

export const limitInWords = '20 actions within a second or 300 within five minutes';

export class ActionLimit {
  readonly #clock: Clock;
  /** Times of the actions of each principal, oldest first: at most 300, none older than `maxWindowMs`. */
  readonly #taken = new Map<Principal, number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts an action and returns null, or counts nothing and returns the seconds to wait. */
  take(principal: Principal): number | null {
    const nowMs = this.#clock.monotonicMs();
    for (const [one, times] of this.#taken) {
      const recent = times.filter((atMs) => nowMs - atMs < maxWindowMs);
      if (recent.length === 0) this.#taken.delete(one);
      else this.#taken.set(one, recent);
    }
    const times = this.#taken.get(principal) ?? [];
    const waits = limits.map(({ most: max, withinMs }) => {
      const oldestCounted = times.at(-max);
      return oldestCounted === undefined ? 0 : oldestCounted + withinMs - nowMs;
    });
    const waitMs = Math.max(...waits);
    if (waitMs > 0) return Math.ceil(waitMs / 1000);
    this.#taken.set(principal, [...times, nowMs]);
    return null;
  }
}
