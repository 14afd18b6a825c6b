// How far the retention may delete. The wall clock says what is due; the monotonic clock says how fast, since a wall clock may
// be wrong by years (decision 0079).
import type { Clock } from '../../shared/runtime/clock.js';

/** A day of each tier in an hour. */
const secondsPerSecond = 24;

export class Cutoffs {
  readonly #clock: Clock;
  readonly #last = new Map<string, { readonly cutoff: number; readonly atMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Rows of `tier` before the result may be deleted. `oldest`: its oldest row; `due`: what is too old. Unix seconds. */
  of(tier: string, oldest: number, due: number): number {
    const atMs = this.#clock.monotonicMs();
    // After a start the oldest row tells how far the deletion came. A time without rows is skipped.
    const last = this.#last.get(tier) ?? { cutoff: oldest, atMs };
    const reached = Math.max(last.cutoff, oldest) + ((atMs - last.atMs) / 1000) * secondsPerSecond;
    const cutoff = Math.min(due, reached);
    this.#last.set(tier, { cutoff, atMs });
    return cutoff;
  }

  /** The last result for `tier`; Infinity before the first. */
  last(tier: string): number {
    return this.#last.get(tier)?.cutoff ?? Infinity;
  }
}
