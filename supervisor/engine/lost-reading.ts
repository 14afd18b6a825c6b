// Brings what policy knows of a UPS up to date when a poll of it has thrown, by what the reserve knows: ticks, groups and the answers to
// a sequence would go on from what was before it. Of policy it calls the clock, and functions that may be what throws.
import { hasNoData, powerSource } from '../../shared/domain/ups/status-words.js';
import type { TriggerSettings } from '../../shared/domain/triggers/table.js';
import { noFall } from '../policy/power/battery-fall.js';
import type { PolicyClock } from '../policy/base/clock.js';
import { advanced } from '../policy/base/clock.js';
import type { Fsd } from '../policy/trigger/fsd-latch.js';
import type { GroupState, Member } from '../policy/state/group-state.js';
import type { Inhibits } from '../policy/trigger/inhibits.js';
import type { GoodReading, GroupSettings, Input } from '../policy/base/inputs.js';
import type { Line } from '../policy/power/power-source.js';
import type { Gauge } from '../policy/power/readings.js';
import { armed } from '../policy/trigger/shutdown.js';
import { debounceAfter, noDebounce } from '../policy/state/member-health.js';
import type { PolicyState } from '../policy/state/state.js';
import type { Confirmed, LatchedTrigger } from '../policy/trigger/trigger-confirmations.js';
import type { UpsState } from '../policy/state/ups-state.js';
import { nothingConfirmed } from '../policy/trigger/trigger-confirmations.js';
import { shownAfter } from '../policy/power/value-doubt.js';
import type { Clock } from '../reserve/clock.js';
import type { Seen } from '../reserve/reserve.js';
import { nothingMet } from '../reserve/reserve.js';
import { batteryTimeOf } from './battery-sum.js';
import { afterLostFailure, afterLostSilence } from './lost-connection.js';

/** The reason of what it decides. */
export const decidedByReserve = 'decided by the reserve, since policy has thrown an exception';

type IsArmed = (group: string) => boolean;

const rearmed = <T extends UpsState | GroupState>(state: T, isArmed: IsArmed): T =>
  state.shutdown.kind === 'fired' && isArmed(state.policy.groupId) ? { ...state, shutdown: armed } : state;

/** After a tick, the time of which was watched. `partly`: what has lost it; null: the whole step has thrown. Only ticks evaluate redundancy groups. */
export function afterLostTick(
  state: PolicyState,
  { at }: Input,
  isArmed: IsArmed,
  partly: ReadonlySet<string> | null,
): PolicyState {
  const clock = advanced(state.clock, at);
  const hasLost = (before: UpsState | GroupState) => partly?.has(before.policy.groupId) !== false;
  const ups = state.ups.map((before) => (hasLost(before) ? afterLostSilence(before, clock) : before));
  const groups = state.groups.map((group) => (hasLost(group) ? rearmed(group, isArmed) : group));
  return { ...state, clock, ups, groups };
}

/**
 * `seen`, `watchedMs`: what the reserve knows after this poll, and its watched time. `isArmed`: the outage of a group is over for it.
 * `partly`: the groups alone that have lost the poll; null: the whole step has thrown.
 */
export function afterLostPoll(
  state: PolicyState,
  { groupId, outcome, at }: Extract<Input, { kind: 'polled' }>,
  seen: Seen,
  { askedMs, watchedMs }: Clock,
  isArmed: IsArmed,
  partly: ReadonlySet<string> | null = null,
): PolicyState {
  const clock = advanced(state.clock, at);
  const after = (before: UpsState): UpsState => {
    if (outcome.kind === 'failed') return afterLostFailure(before, outcome.detail, clock);
    if (hasNoData(outcome.reading.status)) return afterNothing(before);
    return afterLostReading(before, outcome, seen, seen.goodMs === watchedMs, askedMs, clock);
  };
  const place = state.upsIndex.get(groupId);
  const known = place === undefined ? undefined : state.ups[place];
  if (place === undefined || known === undefined) return state;
  const ups = partly === null ? state.ups.with(place, rearmed(after(known), isArmed)) : state.ups;
  const read = ups[place] ?? known;
  const isRead = partly !== null || read.readings.last !== known.readings.last;
  const groups = state.groups.map((group): GroupState => {
    const { policy } = group;
    if (!policy.members.includes(groupId) || partly?.has(policy.groupId) === false) return group;
    const members = group.members.map((member) => {
      if (member.ups !== groupId) return member;
      const proven = () => (isRead ? debounceAfter(member.shown, read) : member.shown);
      return { ...afterLostMember(member, policy, seen, clock), shown: attempt(proven, noDebounce) };
    });
    return { ...group, members };
  });
  return { ...state, ups, groups };
}

/** A function of policy may be what throws. */
function attempt<T>(act: () => T, otherwise: T): T {
  try {
    return act();
  } catch {
    return otherwise;
  }
}

/** What is met by the thresholds of a group, or of the UPS as a group, ends with the outage; by OL with OB with what meets it. */
function metOf(
  known: LatchedTrigger | null,
  group: string,
  { outageMs, ob, met }: Seen,
  { unixSeconds: sinceUnixSeconds }: PolicyClock,
): LatchedTrigger | null {
  const trigger = met[group]?.by ?? null;
  if (trigger !== null) return known ?? { trigger, why: decidedByReserve, sinceUnixSeconds };
  if (outageMs === null || known === null) return null;
  const { charge, runtime, flag } = met[group] ?? nothingMet;
  const counts: Partial<Confirmed> = {
    LOW_BATTERY: charge?.count ?? 0,
    CRITICAL_RUNTIME: runtime?.count ?? 0,
    LOW_BATTERY_FLAG: flag,
  };
  return ob >= 0 || (counts[known.trigger as keyof Confirmed] ?? 0) > 0 ? known : null;
}

/** Readings in a row. What the reserve has no rule for ends with one on line power. */
function confirmedOf(known: Confirmed, group: string, seen: Seen, triggers: TriggerSettings): Confirmed {
  const { charge, runtime, flag, time } = seen.met[group] ?? nothingMet;
  const { runtimeSource } = triggers;
  const most = Math.max(2, triggers.confirmations);
  const kept = seen.isOnBattery ? known : nothingConfirmed;
  return {
    ...kept,
    LOW_BATTERY: Math.min(charge?.count ?? 0, most),
    CRITICAL_RUNTIME: runtimeSource === 'ups' ? Math.min(runtime?.count ?? 0, most) : kept.CRITICAL_RUNTIME,
    LOW_BATTERY_FLAG: Math.min(flag, most),
    EXTENDED_TIME: Math.min(time, most),
  };
}

function afterLostMember(
  member: Member,
  { groupId, triggers }: GroupSettings,
  seen: Seen,
  clock: PolicyClock,
): Member {
  const met = metOf(member.met, groupId, seen, clock);
  const confirmed = confirmedOf(member.confirmed, groupId, seen, triggers);
  return { ...member, met, confirmed, shown: noDebounce };
}

function inhibitsOf({ words: { TEST, CAL, LB }, ownTestMs }: Seen): Inhibits {
  return {
    testMs: TEST.sinceMs,
    calibrationMs: CAL.sinceMs,
    ownTestMs,
    calibrationLowMs: LB.sinceMs,
    withoutTest: TEST.without,
    withoutCalibration: CAL.without,
  };
}

/** `isTelling`: not silence to the failsafe. */
function afterLostReading(
  ups: UpsState,
  { reading, variables }: GoodReading,
  seen: Seen,
  isTelling: boolean,
  askedMs: number,
  clock: PolicyClock,
): UpsState {
  const { monotonicMs, watchedMs, unixSeconds } = clock;
  const source = powerSource(reading.status);
  const known = remembered(ups, seen, source === 'bypass' ? monotonicMs : null, clock);
  const values = { chargePercent: seen.last.charge, runtimeSeconds: seen.last.runtime };
  const goodMs = isTelling ? watchedMs : (ups.readings.last?.watchedMs ?? ups.addedWatchedMs);
  const at = { monotonicMs, askedMs, watchedMs: goodMs, unixSeconds };
  const last = { reading: { ...reading, ...values }, source, refused: [], ...at };
  const good = { status: { kind: 'ok' }, detail: 'OK', failedPolls: 0, onlyStale: true } as const;
  const has = (word: string) => reading.status.includes(word);
  const shown = () => shownAfter(ups.shown, last.reading, false, ups.line.kind, askedMs, monotonicMs);
  const { offSinceMs, offOnLineAtFirst } = ups.conditions;
  const isOff = has('OFF') && !has('OB') && !(has('OL') && offOnLineAtFirst !== false);
  // Its outage, which only a fall shows, would keep the quorum lost in the one reading without the word.
  const before = ups.line.kind === 'unknown' ? (ups.readings.last?.reading.status ?? []) : [];
  const stands = (word: string) => has(word) || before.includes(word);
  const conditions = {
    ...ups.conditions,
    offSinceMs: isOff ? offSinceMs : null,
    overload: stands('OVER') ? 'ACTIVE' : 'INACTIVE',
    bypass: stands('BYPASS') ? 'ACTIVE' : 'INACTIVE',
    avr: stands('BOOST') ? 'BOOST' : stands('TRIM') ? 'TRIM' : 'INACTIVE',
  } as const;
  return {
    ...known,
    shown: { ...attempt(shown, ups.shown), flagSinceMs: seen.flagMs },
    conditions,
    inhibits: inhibitsOf(seen),
    // Of its voltage only a reading that is handled knows.
    voltage: { ...ups.voltage, state: 'UNKNOWN' },
    lastReport: isTelling ? { watchedMs, waiting: false } : { ...ups.lastReport, waiting: true },
    connection: { ...ups.connection, ...(isTelling ? good : { onlyStale: false }) },
    readings: { ...known.readings, last, variables },
  };
}

/** `bypassMs`: when its last reading showed bypass. */
function remembered(ups: UpsState, seen: Seen, bypassMs: number | null, clock: PolicyClock): UpsState {
  const line = lineOf(ups, seen, bypassMs);
  const gaugeOf = (known: Gauge, isRefused: boolean): Gauge =>
    isRefused ? { ...known, zeroMs: known.zeroMs ?? seen.readMs } : known;
  const { charge, runtime } = ups.readings.gauges;
  const { refused } = seen;
  const { groupId, triggers } = ups.policy;
  const gauges = { charge: gaugeOf(charge, refused.charge), runtime: gaugeOf(runtime, refused.runtime) };
  return {
    ...ups,
    readings: { ...ups.readings, gauges },
    line,
    batteryTime: batteryTimeOf(seen.sum),
    fsd: fsdOf(ups.fsd, seen, clock.unixSeconds),
    met: metOf(ups.met, groupId, seen, clock),
    confirmed: confirmedOf(ups.confirmed, groupId, seen, triggers),
  };
}

/** Where policy has no memory of a UPS, or one that is older than the last reading of the reserve. */
export function withRemembered(state: PolicyState, seen: (ups: string) => Seen): PolicyState {
  const old = state.ups.filter(
    ({ policy, readings }) =>
      (seen(policy.groupId).readMs ?? -Infinity) > (readings.last?.monotonicMs ?? -Infinity),
  );
  if (old.length === 0) return state;
  const names = new Set(old.map(({ policy }) => policy.groupId));
  const ups = state.ups.map((before) => {
    if (!names.has(before.policy.groupId)) return before;
    const known = seen(before.policy.groupId);
    return remembered(before, known, known.inBypass ? known.readMs : null, state.clock);
  });
  const groups = state.groups.map((group) => {
    const members = group.members.map((before) =>
      names.has(before.ups) ? afterLostMember(before, group.policy, seen(before.ups), state.clock) : before,
    );
    return { ...group, members };
  });
  return { ...state, ups, groups };
}

/** The driver has no data. */
function afterNothing(ups: UpsState): UpsState {
  const lastReport = { ...ups.lastReport, waiting: true };
  return { ...ups, lastReport, connection: { ...ups.connection, onlyStale: false } };
}

/** `bypassMs`: when this reading shows it. OL with OB in each reading is an outage once something is decided by its values. */
const unknownLine = (sinceMs: number): Line => ({ kind: 'unknown', sinceMs, fall: noFall(sinceMs) });

function lineOf({ line, policy }: UpsState, seen: Seen, bypassMs: number | null): Line {
  const { outageMs, ended, ob, met } = seen;
  const by = met[policy.groupId]?.by ?? null;
  const isQuiet = line.kind === 'outage' && line.lows !== null && outageMs === null;
  if (ob < 0 && by === null) return isQuiet || line.kind === 'unseen' ? unknownLine(seen.readMs ?? 0) : line;
  if (outageMs === null) {
    if (line.kind === 'mains') return line;
    const last = ended && { startedMs: ended.outageMs, beganMs: ended.outageMs, endedMs: ended.atMs };
    return { kind: 'mains', ended: last };
  }
  const known = line.kind === 'outage' ? line : { clock: { beganMs: outageMs }, lows: null };
  return {
    kind: 'outage',
    clock: { ...known.clock, startedMs: outageMs },
    lineReadings: seen.lineReadings,
    onBattery: seen.isOnBattery,
    bypass: bypassMs === null ? null : { sinceMs: bypassMs, mainsSinceMs: seen.bypassMs },
    obReadings: ob < 0 || ob >= policy.triggers.confirmations ? null : ob,
    // The lowest value of a reading that was lost may be a wrong one.
    lows: seen.lows && { ...seen.lows, ...known.lows, reachedMs: seen.lows.reachedMs },
  };
}

function fsdOf(known: Fsd, { fsd, ownFsdMs: sinceMs }: Seen, sinceUnixSeconds: number): Fsd {
  if (fsd === 'acting') return known.kind === 'acting' ? known : { kind: 'acting', sinceUnixSeconds };
  if (fsd === 'own') return { kind: 'own', sinceMs };
  return { kind: fsd === 'stale' ? 'latched' : fsd };
}

/** A poll that brings policy no state of its UPS. */
export function showsNothing(input: Input): boolean {
  return (
    input.kind === 'polled' && (input.outcome.kind === 'failed' || hasNoData(input.outcome.reading.status))
  );
}
