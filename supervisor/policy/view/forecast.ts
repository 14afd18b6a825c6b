// Estimates which trigger fires next at the present rate. For display only.
import type { TriggerName } from '../../../shared/domain/status/states.js';
import { usedRuntime } from '../../../shared/domain/triggers/critical-runtime.js';
import type { BatteryRule, TriggerSettings } from '../../../shared/domain/triggers/table.js';
import { batteryTriggers } from '../../../shared/domain/triggers/table.js';
import type { Course, Facts } from '../../../shared/domain/triggers/trigger.js';
import type { PolicyClock } from '../base/clock.js';
import { unseenMs } from '../base/clock.js';
import { inhibitedBy } from '../trigger/inhibits.js';
import { isOnBattery, onBatteryMs } from '../power/power-source.js';
import type { AcceptedReading } from '../power/readings.js';
import { staleWaitMs } from '../state/stale-driver.js';
import type { UpsState } from '../state/ups-state.js';
import { factsOf } from '../state/ups-state.js';

export interface Forecast {
  readonly trigger: TriggerName;
  readonly inMs: number;
}

/** The trigger of a UPS in an outage that fires first at the present rate; null for none. */
export function forecast(ups: UpsState, now: PolicyClock): Forecast | null {
  const { last } = ups.readings;
  if (last !== null && ups.connection.failedPolls > 0 && isOnBattery(ups.line)) {
    return { trigger: 'FAILSAFE', inMs: untilFailsafeMs(ups, last, now) };
  }
  const facts = factsOf(ups);
  if (facts === null) return null;
  const candidates = batteryTriggers.flatMap((trigger): Forecast[] => {
    if (!trigger.sources.includes(facts.source)) return [];
    if (inhibitedBy(ups.inhibits, trigger.name, now.monotonicMs) !== null) return [];
    const inMs = untilFiresMs(trigger, ups, facts, now);
    return inMs === null ? [] : [{ trigger: trigger.name, inMs }];
  });
  return candidates.reduce<Forecast | null>((a, b) => (a === null || b.inMs < a.inMs ? b : a), null);
}

function untilFailsafeMs(ups: UpsState, last: AcceptedReading, now: PolicyClock): number {
  const { maxStaleDataTolerance, checkIntervalMs, triggers } = ups.policy;
  const missing = Math.max(0, maxStaleDataTolerance - ups.connection.failedPolls);
  const waitMs = Math.max(triggers.failsafeMs, staleWaitMs(ups, ups.policy) ?? triggers.failsafeMs);
  return Math.max(0, waitMs - unseenMs(last.watchedMs, now), missing * checkIntervalMs);
}

/** Until a trigger fires at the present rate; null where it does not. */
function untilFiresMs(trigger: BatteryRule, ups: UpsState, facts: Facts, now: PolicyClock): number | null {
  const { triggers } = ups.policy;
  const elapsedMs = onBatteryMs(ups.line, now.monotonicMs);
  const metInMs = untilMetMs(trigger, ups, facts, elapsedMs);
  if (metInMs === null) return null;
  const missing = trigger.confirmations(triggers, facts) - ups.confirmed[trigger.name];
  const doubtMs = metInMs === 0 ? trigger.doubtMs(triggers, facts) : 0;
  const delayMs = trigger.delayMs(triggers, facts) - elapsedMs;
  return Math.max(metInMs + missing * facts.checkIntervalMs, delayMs, doubtMs, 0);
}

/** Milliseconds until a reading meets `trigger`; null when it does not move towards the limit. */
function untilMetMs(trigger: BatteryRule, ups: UpsState, facts: Facts, elapsedMs: number): number | null {
  const settings = ups.policy.triggers;
  if (trigger.isMet(facts, settings) === true) return 0;
  const { threshold } = trigger.measure(facts, settings);
  if (threshold === null || !trigger.isOn(settings)) return null;
  return trigger.untilMet(courseOf(facts, settings, elapsedMs), threshold, settings);
}

/** The charge falls at the measured rate; a runtime estimate falls by a second a second. */
function courseOf(facts: Facts, settings: TriggerSettings, elapsedMs: number): Course {
  const { chargePercent, depletionRate } = facts;
  const runtimeSeconds = usedRuntime(facts, settings);
  return {
    untilCharge: (percent) => {
      if (chargePercent === null || depletionRate === null || depletionRate <= 0) return null;
      return ((chargePercent - percent) / depletionRate) * 60_000;
    },
    untilRuntime: (seconds) => (runtimeSeconds === null ? null : (runtimeSeconds - seconds) * 1000),
    depletionRate,
    onBatteryMs: elapsedMs,
    batteryTimeMs: facts.batteryTimeMs + elapsedMs - facts.onBatteryMs,
  };
}
