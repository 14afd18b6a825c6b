// When a worker that died is started again: arithmetic only, no clock and no timer.

/** The first backoff and the longest: it doubles, so a crash loop costs one start in 30 s. */
const firstBackoffMs = 1000;
export const defaultMaxBackoffMs = 30_000;
/** A life of this length was a good one: what ends it is news, not the same trouble going on. */
const stableMs = 60_000;

export interface RestartHistory {
  /** Lives that ended in a row without a good one among them. */
  readonly quickFailures: number;
}

export const noHistory: RestartHistory = { quickFailures: 0 };

export interface Restart {
  readonly history: RestartHistory;
  readonly delayMs: number;
}

/** What is known after a life that was ready for `readyMs`: `blamed` counts it, and a good one makes the count begin anew. */
export function historyAfter(history: RestartHistory, readyMs: number, isAtFault: boolean): RestartHistory {
  const before = readyMs >= stableMs ? 0 : history.quickFailures;
  return { quickFailures: before + (isAtFault ? 1 : 0) };
}

/** The next start after a life that was ready for `readyMs` (0: never): at once the first time, then 1 s doubling to the longest. */
export function nextRestart(history: RestartHistory, readyMs: number, maxMs: number): Restart {
  const next = historyAfter(history, readyMs, true);
  return { history: next, delayMs: backoffMs(next.quickFailures - 1, maxMs) };
}

function backoffMs(quickFailures: number, maxMs: number): number {
  if (quickFailures === 0) return 0;
  // 2 ** 5 is past every limit already; the exponent is bounded so that a year of crashes stays a number.
  return Math.min(maxMs, firstBackoffMs * 2 ** Math.min(quickFailures - 1, 5));
}
