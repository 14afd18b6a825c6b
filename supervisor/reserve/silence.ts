// Rule (e) of the reserve: a UPS on battery that cannot be read. Pure.
import type { TriggerSettings } from '../../shared/domain/triggers/table.js';
import type { Clock } from './clock.js';
import type { Seen } from './reserve.js';

/** Of one UPS. */
export interface Polling {
  readonly checkIntervalMs: number;
  readonly pollDeadlineMs: number;
  readonly maxStaleDataTolerance: number;
  readonly triggers: TriggerSettings;
}

/** As `longestStaleMs` of shared/domain/triggers/failsafe.ts, which has the reason. */
const longestStaleMs = 60_000;

export function isBlind(seen: Seen, polling: Polling, { watchedMs, lookingMs }: Clock): boolean {
  const { checkIntervalMs, pollDeadlineMs, maxStaleDataTolerance } = polling;
  const isSilent = watchedMs - seen.replyMs > checkIntervalMs + pollDeadlineMs;
  const waitMs = Math.max(polling.triggers.failsafeMs, isSilent ? 0 : seen.staleMs);
  if (watchedMs - Math.max(seen.goodMs, lookingMs) < waitMs) return false;
  const missed = isSilent ? (watchedMs - seen.goodMs) / Math.max(checkIntervalMs, pollDeadlineMs) : 0;
  return Math.max(seen.failed, Math.floor(missed)) >= Math.max(3, maxStaleDataTolerance);
}

/**
 * How long rule (e) waits while the server answers DATA-STALE: a driver that is stale finds its UPS again, and a good battery
 * outlasts that. A value in doubt counts here, and the estimate of policy does not: it makes its wait no longer.
 */
export function staleMsOf({ last }: Seen, status: readonly string[], set: TriggerSettings): number {
  const [charge, runtime] = [last.charge ?? 0, last.runtime ?? 0];
  if (!set.lowBatteryPercent || !set.criticalRuntimeSeconds) return 0;
  if (status.some((word) => word === 'LB' || word === 'RB')) return 0;
  if (charge <= 2 * set.lowBatteryPercent || runtime <= 2 * set.criticalRuntimeSeconds) return 0;
  return Math.min(set.failsafeShare * runtime * 1000, longestStaleMs);
}
