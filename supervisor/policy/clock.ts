// Policy's time. It comes in with every input, never goes back, and knows which part of it was watched.
import type { Instant } from '../../shared/domain/instant.js';

/**
 * The most that one input adds to watched time. A tick comes every 250 ms, so a gap of more than four of them is ours:
 * a suspended machine, a stopped process, a restart. Nobody was there to hear a UPS then, and its silence proves nothing.
 */
const watchedStepMs = 1_000;

export interface PolicyClock {
  /** CLOCK_MONOTONIC in ms: outages, delays and limits run on it. */
  readonly monotonicMs: number;
  /** Milliseconds in which inputs came in: silence, the grace period and the age of readings run on it. */
  readonly watchedMs: number;
  /** Unix seconds, only written down. */
  readonly unixSeconds: number;
}

export const clockAtStart: PolicyClock = { monotonicMs: 0, watchedMs: 0, unixSeconds: 0 };

/** The clock after an input of `at`; a moment before the last one counts as the last one. */
export function advanced(clock: PolicyClock, at: Instant): PolicyClock {
  const passedMs = Math.max(0, at.monotonicMs - clock.monotonicMs);
  return {
    monotonicMs: clock.monotonicMs + passedMs,
    watchedMs: clock.watchedMs + Math.min(passedMs, watchedStepMs),
    unixSeconds: at.unixSeconds,
  };
}
