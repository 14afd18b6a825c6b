// The health of one member of a redundancy group, and what it counts as. First match wins, in the order of contract 3.
import type { MemberHealth } from '../../shared/domain/states.js';
import { unreachable } from '../../shared/domain/unreachable.js';
import type { PolicyClock } from './clock.js';
import type { GroupPolicy, UpsPolicy } from './inputs.js';
import type { Met } from './triggers.js';
import type { UpsMemory } from './ups-state.js';
import { activeTrigger, lastOnBattery } from './ups-state.js';

/** A UPS passes OFF for a moment when it restarts; one that stays off feeds nobody (contract 3). */
const offLimitMs = 30_000;
/** A reading lives for this many intervals at least, so that one late poll makes nobody unknown. */
const freshIntervals = 5;

export interface Judged {
  readonly health: MemberHealth;
  readonly why: string;
}

/** `groupMet`: the trigger that the member has met by the thresholds of the group. */
export function judged(ups: UpsMemory, policy: UpsPolicy, groupMet: Met | null, now: PolicyClock): Judged {
  const critical = provenCritical(ups, groupMet);
  if (critical !== null) return { health: 'CRITICAL', why: critical };
  if (isOverloadedOnBattery(ups)) return { health: 'CRITICAL', why: 'overloaded on battery' };
  if (ups.connection.sight.kind === 'grace')
    return { health: 'DEGRADED', why: `not seen: ${ups.connection.detail}` };
  const unknown = unknownWhy(ups, policy, now);
  if (unknown !== null) return { health: 'UNKNOWN', why: unknown };
  const degraded = degradedWhy(ups);
  return degraded === null
    ? { health: 'HEALTHY', why: 'on line power' }
    : { health: 'DEGRADED', why: degraded };
}

/**
 * Whether the last good reading, all alone, makes a member look ill. Two in a row have to, before it counts against
 * the quorum: no single bad reading ever shuts anything down.
 */
export function readsIll(ups: UpsMemory): boolean {
  return degradedWhy(ups) !== null;
}

/** Whether the health rests on nothing but readings, as opposed to triggers, time and polls that failed. */
export function restsOnReadings(
  ups: UpsMemory,
  policy: UpsPolicy,
  groupMet: Met | null,
  now: PolicyClock,
): boolean {
  if (provenCritical(ups, groupMet) !== null || ups.connection.sight.kind !== 'ok') return false;
  return unknownWhy(ups, policy, now) === null || isOverloadedOnBattery(ups);
}

function provenCritical(ups: UpsMemory, groupMet: Met | null): string | null {
  const met = activeTrigger(ups) ?? groupMet;
  if (met !== null) return `${met.trigger}: ${met.why}`;
  const { last } = ups.readings;
  const { offSinceMs } = ups.conditions;
  if (last === null || offSinceMs === null) return null;
  return last.monotonicMs - offSinceMs >= offLimitMs ? 'its output is off' : null;
}

function isOverloadedOnBattery(ups: UpsMemory): boolean {
  return ups.conditions.overload === 'ACTIVE' && lastOnBattery(ups);
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
