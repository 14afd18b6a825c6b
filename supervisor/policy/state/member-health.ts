// The health of a redundancy member and what it counts as. The first match in the order of
// specification/policy.md#member-health wins.
import type { MemberHealth } from '../../../shared/domain/status/states.js';
import { holdsOf, longestHoldMs } from '../../../shared/domain/triggers/hold.js';
import { unreachable } from '../../../shared/domain/base/unreachable.js';
import type { PolicyClock } from '../base/clock.js';
import { unseenMs } from '../base/clock.js';
import { inhibitedBy } from '../trigger/inhibits.js';
import type { GroupSettings, UpsSettings } from '../base/inputs.js';
import { reuseUnchanged } from '../base/comparison.js';
import { shownForMs } from '../power/readings.js';
import { staleWaitMs } from './stale-driver.js';
import type { LatchedTrigger } from '../trigger/trigger-confirmations.js';
import type { UpsMemory } from './ups-state.js';
import { activeTrigger, holdsOfUps, isReadOnBattery } from './ups-state.js';

/** A reading is fresh for at least this many intervals, so that one late poll makes no member UNKNOWN. */
const freshIntervals = 5;

export interface EvaluatedHealth {
  readonly health: MemberHealth;
  readonly why: string;
}

/** What a member without any of the others is. */
const onLinePower: EvaluatedHealth = { health: 'HEALTHY', why: 'on line power' };

/** Readings in a row that rule out a single wrong one. */
const enoughReadings = 2;

/** A UPS may report the load of the transfer itself as too much. */
const overloadMs = 10_000;

/** How many good readings in a row have shown each condition; counted up to `enoughReadings`. */
export interface Debounce {
  /** Any degrading word, and since when. */
  readonly degraded: number;
  readonly degradedSinceMs: number | null;
  /** Since when each reading has the input voltage beyond its band, which a driver holds as it holds the other values. */
  readonly voltageSinceMs: number | null;
  /** Overload together with OB, and since when. */
  readonly overloaded: number;
  readonly overloadedSinceMs: number | null;
  /** BYPASS in an outage does not count. */
  readonly onBattery: number;
}

export const noDebounce: Debounce = {
  degraded: 0,
  degradedSinceMs: null,
  voltageSinceMs: null,
  overloaded: 0,
  overloadedSinceMs: null,
  onBattery: 0,
};

/** Treats the last reading as confirmed: the health as displayed. */
export const debounced: Debounce = {
  degraded: enoughReadings,
  degradedSinceMs: -Infinity,
  voltageSinceMs: -Infinity,
  overloaded: enoughReadings,
  overloadedSinceMs: -Infinity,
  onBattery: enoughReadings,
};

export function debounceAfter(before: Debounce, ups: UpsMemory): Debounce {
  const count = (so: number, isShown: boolean) => (isShown ? Math.min(so + 1, enoughReadings) : 0);
  const ill = count(before.degraded, degradingWord(ups) !== null);
  const overloaded = count(before.overloaded, isOverloadedOnBattery(ups));
  const isInBypass = ups.line.kind === 'outage' && ups.line.bypass !== null;
  const onBattery = isInBypass ? before.onBattery : count(before.onBattery, isInOutage(ups));
  const nowMs = ups.readings.last?.monotonicMs ?? null;
  const illSinceMs = ill === 0 ? null : (before.degradedSinceMs ?? nowMs);
  const overloadedSinceMs = overloaded === 0 ? null : (before.overloadedSinceMs ?? nowMs);
  const voltageSinceMs = degradingVoltage(ups) === null ? null : (before.voltageSinceMs ?? nowMs);
  return reuseUnchanged(before, {
    degraded: ill,
    degradedSinceMs: illSinceMs,
    voltageSinceMs,
    overloaded,
    overloadedSinceMs,
    onBattery,
  });
}

/**
 * The last status had OB, and no test explains it. A battery test is no outage while it inhibits triggers; LB and the
 * failsafe still act and make the member critical.
 */
function isInOutage(ups: UpsMemory): boolean {
  const { last } = ups.readings;
  return (
    last !== null && isReadOnBattery(ups) && inhibitedBy(ups.inhibits, 'LOW_BATTERY', last.askedMs) === null
  );
}

/** Confirmed to be in an outage. */
export function isKnownOnBattery({ onBattery }: Debounce): boolean {
  return onBattery >= enoughReadings;
}

/** A member by the thresholds of its group. */
export interface InGroup {
  /** The trigger that it has met by them. */
  readonly met: LatchedTrigger | null;
  /** 0: OFF makes no member critical. */
  readonly outputOffMs: number;
}

/** Conditions from readings count when `shown` confirms them: a single wrong reading must not shut a group down. */
export function evaluateHealth(
  ups: UpsMemory,
  policy: UpsSettings,
  inGroup: InGroup,
  shown: Debounce,
  now: PolicyClock,
): EvaluatedHealth {
  const { statusMs } = holdsOfUps(ups, policy);
  const critical = criticalWhy(ups, policy, inGroup);
  if (critical !== null) return { health: 'CRITICAL', why: critical };
  const shownMs = (sinceMs: number) => shownForMs(ups.readings.last, sinceMs) ?? 0;
  const isProven = (readings: number, sinceMs: number | null, leastMs = 0) => {
    if (readings < enoughReadings || sinceMs === null) return false;
    return (statusMs === 0 || shownMs(sinceMs) > statusMs) && shownMs(sinceMs) >= leastMs;
  };
  if (isOverloadedOnBattery(ups) && isProven(shown.overloaded, shown.overloadedSinceMs, overloadMs)) {
    return { health: 'CRITICAL', why: 'overloaded on battery, which counts after 10 s' };
  }
  if (ups.connection.status.kind === 'grace') {
    return { health: 'DEGRADED', why: `not seen: ${ups.connection.detail}` };
  }
  const unknown = unknownWhy(ups, policy, now);
  if (unknown !== null) return { health: 'UNKNOWN', why: unknown };
  const { voltageSinceMs } = shown;
  const byVoltage = degradingVoltage(ups);
  // The first reading of a boot may show that of the outage before it. On line power nothing is lost by waiting.
  const voltageMs = () => longestHoldMs(ups.readings.variables, policy.holds);
  if (byVoltage !== null && voltageSinceMs !== null && shownMs(voltageSinceMs) > voltageMs())
    return { health: 'DEGRADED', why: byVoltage };
  const byWord = degradingWord(ups);
  if (byWord === null || !isProven(shown.degraded, shown.degradedSinceMs)) return onLinePower;
  return { health: 'DEGRADED', why: byWord };
}

function criticalWhy(
  ups: UpsMemory,
  { holds }: UpsSettings,
  { met: groupMet, outputOffMs }: InGroup,
): string | null {
  const met = activeTrigger(ups) ?? groupMet;
  if (met !== null) return `${met.trigger}: ${met.why}`;
  const { last } = ups.readings;
  const offMs = shownForMs(last, ups.conditions.offSinceMs);
  if (offMs === null || outputOffMs === 0) return null;
  // No threshold of the runtime shortens it: nothing is lost by waiting.
  const { statusMs } = holdsOf(ups.readings.variables, holds, 0);
  return offMs >= outputOffMs && offMs > statusMs ? 'its output is off' : null;
}

function isOverloadedOnBattery(ups: UpsMemory): boolean {
  return ups.conditions.overload === 'ACTIVE' && isReadOnBattery(ups);
}

function unknownWhy(ups: UpsMemory, policy: UpsSettings, now: PolicyClock): string | null {
  const { last } = ups.readings;
  if (last === null) return `never seen: ${ups.connection.detail}`;
  if (ups.connection.status.kind === 'failed') return `not seen: ${ups.connection.detail}`;
  const { checkIntervalMs, maxStaleDataTolerance, pollDeadlineMs } = policy;
  const freshMs = Math.max(
    freshIntervals * checkIntervalMs,
    maxStaleDataTolerance * pollDeadlineMs + checkIntervalMs,
  );
  if (now.watchedMs - last.watchedMs <= freshMs) return null;
  // The failsafe makes it CRITICAL when the wait is over.
  return unseenMs(last.watchedMs, now) < (staleWaitMs(ups, policy) ?? 0)
    ? null
    : 'its last reading is too old';
}

/** On battery there is no voltage of the mains. */
function degradingVoltage(ups: UpsMemory): string | null {
  const { state } = ups.voltage;
  return (state === 'LOW' || state === 'HIGH') && !isReadOnBattery(ups) ? `input voltage ${state}` : null;
}

function degradingWord(ups: UpsMemory): string | null {
  const { conditions } = ups;
  if (isReadOnBattery(ups)) return 'on battery';
  if (conditions.bypass === 'ACTIVE') return 'in bypass';
  if (conditions.overload === 'ACTIVE') return 'overloaded';
  return conditions.avr === 'INACTIVE' ? null : `AVR ${conditions.avr}`;
}

/** The effective health for the quorum: HEALTHY or CRITICAL. */
export function effective(health: MemberHealth, policy: GroupSettings): 'HEALTHY' | 'CRITICAL' {
  switch (health) {
    case 'HEALTHY':
    case 'CRITICAL':
      return health;
    case 'DEGRADED':
      return policy.degradedCountsAs === 'healthy' ? 'HEALTHY' : 'CRITICAL';
    case 'UNKNOWN':
      if (policy.unknownCountsAs === 'degraded') return effective('DEGRADED', policy);
      return policy.unknownCountsAs === 'healthy' ? 'HEALTHY' : 'CRITICAL';
    default:
      return unreachable(health);
  }
}
