// A driver that is stale behind a server that answers. Drivers lose their device and find it again: an outage with a good
// battery need not end by it (specification/policy.md#failsafe).
import { usedRuntime } from '../../../shared/domain/triggers/critical-runtime.js';
import { longestStaleMs } from '../../../shared/domain/triggers/failsafe.js';
import type { UpsSettings } from '../base/inputs.js';
import { isOnBattery } from '../power/power-source.js';
import type { UpsMemory } from './ups-state.js';
import { remainingOf, undoubtedReading } from './ups-state.js';

/** How long the failsafe waits for a driver that is stale; null: it is not, or its battery was not good. */
export function staleWaitMs(ups: UpsMemory, policy: UpsSettings): number | null {
  const { failedPolls, onlyStale } = ups.connection;
  return failedPolls > 0 && onlyStale && isOnBattery(ups.line) ? staleLimitMs(ups, policy) : null;
}

/** The same for a driver that becomes stale now. */
export function staleLimitMs(ups: UpsMemory, policy: UpsSettings): number | null {
  const { last } = ups.readings;
  if (last === null || last.reading.status.some((word) => word === 'LB' || word === 'RB')) return null;
  const { lowBatteryPercent: low, criticalRuntimeSeconds: critical, failsafeShare } = policy.triggers;
  // A value whose trigger is off may be one that the operator does not believe.
  if (low === 0 || critical === 0 || failsafeShare === 0) return null;
  const { chargePercent, runtimeSeconds } = undoubtedReading(last, ups, policy).reading;
  if (chargePercent === null || runtimeSeconds === null) return null;
  const used = usedRuntime({ estimate: remainingOf(ups, policy), runtimeSeconds }, policy.triggers);
  const shortest = Math.min(runtimeSeconds, used ?? 0);
  if (chargePercent <= 2 * low || shortest <= 2 * critical) return null;
  return Math.min(failsafeShare * shortest * 1000, longestStaleMs);
}
