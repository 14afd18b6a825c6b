// The health of a member of a redundancy group, and what it counts as. The first match in the order of
// specification/policy.md#member-health wins.
import type { MemberHealth } from '../../shared/domain/states.js';
import { unreachable } from '../../shared/domain/unreachable.js';
import type { PolicyClock } from './clock.js';
import { inhibitedBy } from './inhibits.js';
import type { GroupPolicy, UpsPolicy } from './inputs.js';
import { reuseUnchanged } from './comparison.js';
import type { LatchedTrigger } from './triggers.js';
import type { UpsMemory } from './ups-state.js';
import { activeTrigger } from './ups-state.js';

/** A UPS shows OFF briefly when it restarts; one that stays OFF feeds no load (specification/policy.md#member-health). */
const offLimitMs = 30_000;
/** A reading lives for this many intervals at least, so that one late poll makes nobody unknown. */
const freshIntervals = 5;

export interface EvaluatedHealth {
  readonly health: MemberHealth;
  readonly why: string;
}

/** As many good readings in a row show for certain what a single one could show by mistake. */
const enoughReadings = 2;

/** How many good readings in a row have shown something of a member; counted no further than is enough. */
export interface Debounce {
  /** Anything that degrades it. */
  readonly ill: number;
  /** Overload together with OB. */
  readonly overloaded: number;
  /** A status with neither OL nor OB says nothing of it. */
  readonly onBattery: number;
}

export const noDebounce: Debounce = { ill: 0, overloaded: 0, onBattery: 0 };

/** What the last reading shows counts as certain: the health as it is displayed. */
export const debounced: Debounce = {
  ill: enoughReadings,
  overloaded: enoughReadings,
  onBattery: enoughReadings,
};

export function debounceAfter(before: Debounce, ups: UpsMemory): Debounce {
  const count = (so: number, isShown: boolean) => (isShown ? Math.min(so + 1, enoughReadings) : 0);
  const ill = count(before.ill, degradedWhy(ups) !== null);
  const overloaded = count(before.overloaded, isOverloadedOnBattery(ups));
  const saysNothing = ups.readings.last?.source === 'neither';
  const onBattery = saysNothing ? before.onBattery : count(before.onBattery, isInOutage(ups));
  return reuseUnchanged(before, { ill, overloaded, onBattery });
}

/**
 * The last status had OB, and not because the battery is tested or calibrated: that is no outage, for as long as it
 * holds the triggers; LB and the failsafe act meanwhile and make the member critical.
 */
function isInOutage(ups: UpsMemory): boolean {
  const { last } = ups.readings;
  return last?.source === 'battery' && inhibitedBy(ups.holds, 'LOW_BATTERY', last.monotonicMs) === null;
}

/** It is in an outage for certain. */
export function isKnownOnBattery({ onBattery }: Debounce): boolean {
  return onBattery >= enoughReadings;
}

/**
 * `groupMet`: the trigger that the member has met by the thresholds of the group. What rests on readings alone holds
 * when `shown` says that enough of them have shown it: no single bad reading may bring a group down.
 */
export function evaluateHealth(
  ups: UpsMemory,
  policy: UpsPolicy,
  groupMet: LatchedTrigger | null,
  shown: Debounce,
  now: PolicyClock,
): EvaluatedHealth {
  const critical = criticalWhy(ups, groupMet);
  if (critical !== null) return { health: 'CRITICAL', why: critical };
  if (isOverloadedOnBattery(ups) && shown.overloaded >= enoughReadings) {
    return { health: 'CRITICAL', why: 'overloaded on battery' };
  }
  if (ups.connection.sight.kind === 'grace') {
    return { health: 'DEGRADED', why: `not seen: ${ups.connection.detail}` };
  }
  const unknown = unknownWhy(ups, policy, now);
  if (unknown !== null) return { health: 'UNKNOWN', why: unknown };
  const degraded = degradedWhy(ups);
  if (degraded === null || shown.ill < enoughReadings) return { health: 'HEALTHY', why: 'on line power' };
  return { health: 'DEGRADED', why: degraded };
}

function criticalWhy(ups: UpsMemory, groupMet: LatchedTrigger | null): string | null {
  const met = activeTrigger(ups) ?? groupMet;
  if (met !== null) return `${met.trigger}: ${met.why}`;
  const { last } = ups.readings;
  const { offSinceMs } = ups.conditions;
  if (last === null || offSinceMs === null) return null;
  return last.monotonicMs - offSinceMs >= offLimitMs ? 'its output is off' : null;
}

function isOverloadedOnBattery(ups: UpsMemory): boolean {
  return ups.conditions.overload === 'ACTIVE' && ups.readings.last?.source === 'battery';
}

function unknownWhy(ups: UpsMemory, policy: UpsPolicy, now: PolicyClock): string | null {
  const { last } = ups.readings;
  if (last === null) return `never seen: ${ups.connection.detail}`;
  if (ups.connection.sight.kind === 'failed') return `not seen: ${ups.connection.detail}`;
  const { checkIntervalMs, maxStaleDataTolerance, pollDeadlineMs } = policy;
  const freshMs = Math.max(
    freshIntervals * checkIntervalMs,
    maxStaleDataTolerance * pollDeadlineMs + checkIntervalMs,
  );
  return now.watchedMs - last.watchedMs > freshMs ? 'its last reading is too old' : null;
}

/** A status with neither OL nor OB keeps the outage; a single OL in it is a good sign, not yet its end. */
function degradedWhy({ line, readings, voltage, conditions }: UpsMemory): string | null {
  if (line.kind === 'outage' && readings.last?.source !== 'line') return 'on battery';
  if (voltage.state === 'LOW' || voltage.state === 'HIGH') return `input voltage ${voltage.state}`;
  if (conditions.bypass === 'ACTIVE') return 'in bypass';
  if (conditions.overload === 'ACTIVE') return 'overloaded';
  return conditions.avr === 'INACTIVE' ? null : `AVR ${conditions.avr}`;
}

/** What a health counts as for the quorum: HEALTHY or CRITICAL. */
export function effective(health: MemberHealth, policy: GroupPolicy): 'HEALTHY' | 'CRITICAL' {
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
