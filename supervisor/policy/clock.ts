// Policy's time. It comes in with every input, never goes back, and knows which part of it was watched.
import type { Instant } from '../../shared/domain/instant.js';

/**
 * The most that one input adds to watched time. A tick comes every 250 ms, so a gap of more than four of them is ours:
 * a suspended machine, a stopped process, a restart. Nobody was there to hear a UPS then, and its silence proves nothing.
 */
const watchedStepMs = 1_000;
/**
 * After an absence of the failsafe's usual delay what was known before it is no news: power may be back since long. The
 * daemon looks for the whole delay again. A shorter one only stands the count still, or a daemon that crashes again and
 * again would never come to a conclusion.
 */
const longAbsenceMs = 15_000;

export interface PolicyClock {
  /** CLOCK_MONOTONIC in ms: outages, delays and limits run on it. */
  readonly monotonicMs: number;
  /** Milliseconds in which inputs came in: silence, the grace period and the age of readings run on it. */
  readonly watchedMs: number;
  /** Watched time at which the daemon began to look, without a long absence since. */
  readonly lookingSinceMs: number;
  /** Unix seconds, only written down. */
  readonly unixSeconds: number;
}

export const clockAtStart: PolicyClock = { monotonicMs: 0, watchedMs: 0, lookingSinceMs: 0, unixSeconds: 0 };

/** The clock after an input of `at`; a moment before the last one counts as the last one. */
export function advanced(clock: PolicyClock, at: Instant): PolicyClock {
  return moved(clock, at, watchedStepMs);
}

/** The clock of a daemon that is back at `at`: nothing of the time between was watched. */
export function resumed(clock: PolicyClock, at: Instant): PolicyClock {
  return moved(clock, at, 0);
}

/** How long the daemon has looked for a good reading in vain: watched time since the last one, or since a long absence. */
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
