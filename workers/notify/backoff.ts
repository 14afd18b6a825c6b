// The backoff of a service after consecutive failures.

export interface BackoffSettings {
  readonly retryIntervalMs: number;
  readonly retryBackoffMaxMs: number;
}

/** Largest random part of the delay: services that failed together are not retried together. */
const jitter = 0.2;
/** Twenty doublings exceed every maximum. */
const maxDoublings = 20;

/** The pause after n consecutive failures (n from 1): the interval, doubled each time, up to the maximum. */
export function backoffMs(failures: number, settings: BackoffSettings, random: number): number {
  const doublings = Math.min(failures - 1, maxDoublings);
  const pause = Math.min(settings.retryIntervalMs * 2 ** doublings, settings.retryBackoffMaxMs);
  return Math.min(pause * (1 + jitter * random), settings.retryBackoffMaxMs);
}
