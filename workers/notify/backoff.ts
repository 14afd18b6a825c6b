// The backoff of a service after consecutive failures.
import { backoffMs } from '../../shared/domain/base/backoff.js';

export interface BackoffSettings {
  readonly retryIntervalMs: number;
  readonly retryBackoffMaxMs: number;
}

/** Largest random part of the delay: services that failed together are not retried together. */
const jitter = 0.2;

/** The pause after `failures` consecutive failures (from 1), with a random part; at most the maximum. */
export function retryPauseMs(
  failures: number,
  { retryIntervalMs, retryBackoffMaxMs }: BackoffSettings,
  random: number,
): number {
  const pause = backoffMs(failures, retryIntervalMs, retryBackoffMaxMs);
  return Math.min(pause * (1 + jitter * random), retryBackoffMaxMs);
}
