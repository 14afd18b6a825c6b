// What will fire next if everything goes on as it does now: an estimate for people. No decision is made by it.
import type { TriggerName } from '../../shared/domain/states.js';
import { unreachable } from '../../shared/domain/unreachable.js';
import type { PolicyClock } from './clock.js';
import { unseenMs } from './clock.js';
import { inhibitedBy } from './inhibits.js';
import { isOnBattery, onBatteryMs } from './line.js';
import type { AcceptedReading } from './readings.js';
import type { BatteryTrigger, Facts } from './triggers.js';
import { batteryTriggers, delayMs, meets } from './triggers.js';
import type { UpsState } from './ups-state.js';
import { factsOf } from './ups-state.js';

export interface Forecast {
  readonly trigger: TriggerName;
  readonly inMs: number;
}

/** The trigger of a UPS in an outage that comes first on the present course; null when none is in sight. */
export function forecast(ups: UpsState, now: PolicyClock): Forecast | null {
  const { last } = ups.readings;
  if (last !== null && ups.connection.failedPolls > 0 && isOnBattery(ups.line)) {
    return { trigger: 'FAILSAFE', inMs: untilFailsafeMs(ups, last, now) };
  }
  const facts = factsOf(ups);
  if (facts === null) return null;
  const candidates = batteryTriggers.flatMap((trigger): Forecast[] => {
    if (inhibitedBy(ups.holds, trigger, now.monotonicMs) !== null) return [];
    const inMs = untilFiresMs(trigger, ups, facts, now);
    return inMs === null ? [] : [{ trigger, inMs }];
  });
  return candidates.reduce<Forecast | null>((a, b) => (a === null || b.inMs < a.inMs ? b : a), null);
}

function untilFailsafeMs(ups: UpsState, last: AcceptedReading, now: PolicyClock): number {
  const { maxStaleDataTolerance, checkIntervalMs, triggers } = ups.policy;
  const missing = Math.max(0, maxStaleDataTolerance - ups.connection.failedPolls);
  return Math.max(0, triggers.failsafeMs - unseenMs(last.watchedMs, now), missing * checkIntervalMs);
}

function untilFiresMs(trigger: BatteryTrigger, ups: UpsState, facts: Facts, now: PolicyClock): number | null {
  const { triggers, checkIntervalMs } = ups.policy;
  const elapsedMs = onBatteryMs(ups.line, now.monotonicMs);
  const metInMs = untilMetMs(trigger, ups, facts, elapsedMs);
  if (metInMs === null) return null;
  const missing = triggers.confirmations - ups.confirmed[trigger];
  return Math.max(metInMs + missing * checkIntervalMs, delayMs(trigger, triggers) - elapsedMs, 0);
}

/** Milliseconds until a reading meets `trigger`; null when nothing moves towards it. */
function untilMetMs(trigger: BatteryTrigger, ups: UpsState, facts: Facts, elapsedMs: number): number | null {
  const settings = ups.policy.triggers;
  if (meets(trigger, settings, facts) === true) return 0;
  switch (trigger) {
    case 'LOW_BATTERY': {
      const { chargePercent, depletionRate } = facts;
      if (chargePercent === null || depletionRate === null || depletionRate <= 0) return null;
      return ((chargePercent - settings.lowBatteryPercent) / depletionRate) * 60_000;
    }
    case 'CRITICAL_RUNTIME':
      // A runtime that is an estimate of the UPS falls by a second a second.
      if (facts.runtimeSeconds === null) return null;
      return (facts.runtimeSeconds - settings.criticalRuntimeSeconds) * 1000;
    case 'EXTENDED_TIME':
      return settings.extendedTime.enabled ? settings.extendedTime.thresholdMs - elapsedMs : null;
    case 'DEPLETION': {
      // Only its grace period still speaks against a rate above the limit.
      const { criticalRate, graceMs } = settings.depletion;
      return facts.depletionRate !== null && facts.depletionRate > criticalRate ? graceMs - elapsedMs : null;
    }
    case 'LOW_BATTERY_FLAG':
      return null;
    default:
      return unreachable(trigger);
  }
}
