// How long to leave a service alone after failures in a row.

export interface BackoffSettings {
  readonly retryIntervalMs: number;
  readonly retryBackoffMaxMs: number;
}

/** A part of the delay, at most this, is left to chance: services that failed together are not asked together again. */
const jitter = 0.2;
/** Twice as long twenty times over is beyond every maximum. */
const mostDoublings = 20;

/** The pause after the n-th failure in a row (n from 1): the interval, doubled each time, up to the maximum. */
export function backoffMs(failures: number, settings: BackoffSettings, random: number): number {
  const doublings = Math.min(failures - 1, mostDoublings);
  const pause = Math.min(settings.retryIntervalMs * 2 ** doublings, settings.retryBackoffMaxMs);
  return Math.min(pause * (1 + jitter * random), settings.retryBackoffMaxMs);
}
