// Policy's time. Every input carries it, it never goes back, and it counts how much of it was watched.
import type { Instant } from '../../../shared/domain/base/instant.js';

/**
 * The most that one input adds to watched time. A tick comes every 250 or 500 ms: a longer gap means that the daemon did not
 * run (suspend, restart), and the silence of a UPS in it proves nothing.
 */
const watchedStepMs = 1_000;
/**
 * After an absence as long as the usual failsafe delay the old readings are stale: power may have returned. The
 * failsafe delay starts again. A shorter absence only pauses it; otherwise a daemon in a crash loop would never reach
 * the end of the delay.
 */
const longAbsenceMs = 15_000;

export interface PolicyClock {
  /** CLOCK_MONOTONIC in ms, for outages, delays and limits. */
  readonly monotonicMs: number;
  /** Milliseconds in which inputs arrived, for silence, the grace period and the age of readings. */
  readonly watchedMs: number;
  /** Watched time at the start of the daemon, or at the end of its last long absence. */
  readonly lookingSinceMs: number;
  /** Unix seconds, for records only. */
  readonly unixSeconds: number;
}

export const clockAtStart: PolicyClock = { monotonicMs: 0, watchedMs: 0, lookingSinceMs: 0, unixSeconds: 0 };

/** The clock at an input of `at`; an earlier moment counts as the last one. */
export function advanced(clock: PolicyClock, at: Instant): PolicyClock {
  return moved(clock, at, watchedStepMs);
}

/** The clock of a daemon restarted at `at`: the time between is not watched. */
export function resumed(clock: PolicyClock, at: Instant): PolicyClock {
  return moved(clock, at, 0);
}

/** Watched time without a good reading: since the last one, or since a long absence. */
export function unseenMs(lastGoodWatchedMs: number, clock: PolicyClock): number {
  return clock.watchedMs - Math.max(lastGoodWatchedMs, clock.lookingSinceMs);
}

function moved(clock: PolicyClock, at: Instant, maxWatchedMs: number): PolicyClock {
  const passedMs = Math.max(0, at.monotonicMs - clock.monotonicMs);
  const watchedMs = clock.watchedMs + Math.min(passedMs, maxWatchedMs);
  return {
    monotonicMs: clock.monotonicMs + passedMs,
    watchedMs,
    lookingSinceMs: passedMs > longAbsenceMs ? watchedMs : clock.lookingSinceMs,
    unixSeconds: at.unixSeconds,
  };
}
