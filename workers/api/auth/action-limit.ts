// How many actions one principal may ask for, in sliding windows. Each action leaves a row in the history, which stays for
// years: a faulty script or a stolen key must not fill it.
import type { Clock } from '../../../shared/runtime/clock.js';
import type { Principal } from '../http/peer.js';

/** A person does not reach 20 in a second. A script that sends a command to 50 UPSes every minute does not reach 300 in five. */
const limits = [
  { most: 20, withinMs: 1_000 },
  { most: 300, withinMs: 300_000 },
];
const longestMs = 300_000;

export const limitInWords = '20 actions within a second or 300 within five minutes';

export class ActionLimit {
  readonly #clock: Clock;
  /** When each principal was admitted, oldest first. At most 300 times of a principal, none older than `longestMs`. */
  readonly #taken = new Map<Principal, number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts one action and gives null, or counts none and gives the whole seconds to wait. */
  take(principal: Principal): number | null {
    const nowMs = this.#clock.monotonicMs();
    for (const [one, times] of this.#taken) {
      const recent = times.filter((atMs) => nowMs - atMs < longestMs);
      if (recent.length === 0) this.#taken.delete(one);
      else this.#taken.set(one, recent);
    }
    const times = this.#taken.get(principal) ?? [];
    const waitsMs = limits.map(({ most, withinMs }) => {
      const oldestOfMost = times.at(-most);
      return oldestOfMost === undefined ? 0 : oldestOfMost + withinMs - nowMs;
    });
    const waitMs = Math.max(...waitsMs);
    if (waitMs > 0) return Math.ceil(waitMs / 1000);
    this.#taken.set(principal, [...times, nowMs]);
    return null;
  }
}
