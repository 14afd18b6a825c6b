// Computes when a lost worker is started again. No clock, no timer.
import { backoffMs } from '../../shared/domain/base/backoff.js';

/** Backoff doubles from the first to the maximum, so that a crash loop costs one start in 30 s. */
const firstBackoffMs = 1000;
export const defaultMaxBackoffMs = 30_000;
/** An instance that was ready for this long was stable: the count of quick failures starts again. */
const stableMs = 60_000;

export interface RestartHistory {
  /** Quick failures in a row. */
  readonly quickFailures: number;
}

export const noHistory: RestartHistory = { quickFailures: 0 };

export interface Restart {
  readonly history: RestartHistory;
  readonly delayMs: number;
}

/** The history after an instance that was ready for `readyMs`. */
export function historyAfter(history: RestartHistory, readyMs: number, isAtFault: boolean): RestartHistory {
  const before = readyMs >= stableMs ? 0 : history.quickFailures;
  return { quickFailures: before + (isAtFault ? 1 : 0) };
}

/**
 * The next start after an instance that was ready for `readyMs` (0: never): immediate after the first failure, then 1
 * s, doubled up to `maxMs`.
 */
export function nextRestart(history: RestartHistory, readyMs: number, maxMs: number): Restart {
  const next = historyAfter(history, readyMs, true);
  const delayMs = next.quickFailures < 2 ? 0 : backoffMs(next.quickFailures - 1, firstBackoffMs, maxMs);
  return { history: next, delayMs };
}
