// The reserve: its rules (a) to (d), for the UPSes and groups of which policy has thrown; (e) is in silence.ts. It is given every input
// and imports nothing of policy, so that no bug of policy is its own. It decides no earlier than policy (specification/policy.md#reserve). Pure.
import type { Reading } from '../../shared/domain/ups/reading.js';
import type { TriggerName } from '../../shared/domain/status/states.js';
import { powerSource } from '../../shared/domain/ups/status-words.js';
import type { TriggerSettings } from '../../shared/domain/triggers/table.js';
import type { Clock } from './clock.js';
import type { BatteryTime } from './battery-time.js';
import { batteryTimeAfter, noBatteryTime } from './battery-time.js';
import type { Low } from './low-value.js';
import { lowAfter, unmet } from './low-value.js';
/** A redundancy group, or a UPS as the group of itself. */
export interface Watched {
  readonly groupId: string;
  readonly members: readonly string[];
  readonly minHealthy: number;
  readonly triggers: TriggerSettings;
  readonly degradedCountsAs?: 'healthy' | 'critical';
}
type Value = number | null;
type Numbers<K extends string> = Readonly<Record<K, number>>;
export type UpsGroup = Watched & { readonly holds: Numbers<'valueMs' | 'statusMs' | 'longestMs'> };
type OwnFirst = readonly [UpsGroup, ...UpsGroup[]];
type Gauges<T> = Readonly<Record<'charge' | 'runtime', T>>;
/** By the thresholds of one group: readings in a row that met a rule, and what has decided in this outage. */
type Met = Gauges<Low> & Readonly<{ flag: number; time: number; by: TriggerName | null }>;
type Word = Readonly<{ sinceMs: Value; without: number }>;
export const nothingMet: Met = { charge: null, runtime: null, flag: 0, time: 0, by: null };
const [noWord, obWithOl]: [Word, number] = [{ sinceMs: null, without: 0 }, -1];
/** `known`: the last values that there were; `lows`: the lowest of an outage after OL with OB, and when the last of them was reached; `goodMs`, `replyMs`: watched time; `staleMs` while no poll failed otherwise; `ob` counts OB, below 0 while each has OL too. */
export type Seen = Numbers<'ownFsdMs' | 'lineReadings' | 'goodMs' | 'replyMs' | 'failed' | 'staleMs' | 'ob'> &
  Readonly<Record<'ownTestMs' | 'outageMs' | 'readMs' | 'flagMs' | 'bypassMs', Value>> & {
    readonly fsd: 'unseen' | 'absent' | 'stale' | 'own' | 'acting';
    readonly ended: Numbers<'outageMs' | 'atMs'> | null;
    readonly words: Readonly<Record<'TEST' | 'CAL' | 'LB', Word>>;
    readonly met: Readonly<Record<string, Met>>;
  } & Readonly<Record<'last' | 'known', Gauges<Value>>> &
  Readonly<Record<'isOnBattery' | 'inBypass' | 'isDegraded', boolean>> &
  Readonly<{ sum: BatteryTime; refused: Gauges<boolean> }> &
  Readonly<{ lows: (Gauges<Value> & Numbers<'reachedMs'>) | null }>;
const noValues = { charge: null, runtime: null };
export const newlySeen = ({ watchedMs }: Clock): Seen => ({
  ...{ fsd: 'unseen', ownFsdMs: 0, ownTestMs: null, outageMs: null, isOnBattery: false, ob: obWithOl },
  ...{ lineReadings: 0, last: noValues, known: noValues, refused: { charge: false, runtime: false } },
  ...{ words: { TEST: noWord, CAL: noWord, LB: noWord }, readMs: null, flagMs: null, failed: 0, met: {} },
  ...{ bypassMs: null, inBypass: false, isDegraded: false, lows: null, sum: noBatteryTime },
  ...{ goodMs: watchedMs, replyMs: watchedMs, staleMs: 0, ended: null },
});
const [minuteMs, degrading] = [60_000, ['OVER', 'BYPASS', 'BOOST', 'TRIM']];
/** After a reading with data. `own`: the UPS as a group. Bypass stops the clock of an outage. */
export function afterReading(before: Seen, reading: Reading, [own, ...groups]: OwnFirst, clock: Clock): Seen {
  const [{ atMs: now, askedMs, watchedMs }, confirmations] = [clock, own.triggers.confirmations];
  const has = (word: string) => reading.status.includes(word);
  const source = powerSource(reading.status);
  const [onLine, inBypass] = [source === 'line', source === 'bypass'];
  const fsd = fsdAfter(before, has('FSD'), source, askedMs);
  const gives = source === 'neither' && (has('DISCHRG') || has('LB'));
  const isOther = before.outageMs !== null && before.ob < confirmations && source === 'neither' && !gives;
  const lineReadings = onLine || isOther ? before.lineReadings + 1 : 0;
  const isOver = lineReadings >= confirmations;
  const accept = (value: Value, wasRefused: boolean, last: Value): [Value, boolean] => {
    const isZeroNone = onLine || wasRefused || (before.ob < 0 && has('OL') && last === null);
    const isRefused = value === 0 ? isZeroNone : value === null && wasRefused;
    return [isRefused ? null : value, isRefused];
  };
  const { refused, known: old, ended } = before;
  const [charge, noCharge] = accept(reading.chargePercent, refused.charge, old.charge);
  const [runtime, noRuntime] = accept(reading.runtimeSeconds, refused.runtime, old.runtime);
  const word = ({ sinceMs, without }: Word, isShown: boolean, enough: number): Word => {
    if (isShown) return { sinceMs: sinceMs ?? now, without: 0 };
    return sinceMs === null || without + 1 >= enough ? noWord : { sinceMs, without: without + 1 };
  };
  const outageMs = before.outageMs && before.outageMs + (before.inBypass ? now - (before.readMs ?? now) : 0);
  const onBattery = has('OB') || (before.ob >= 0 && outageMs !== null && !onLine && !inBypass && !isOther);
  const isUnknown = before.ob < 0 && (has('OB') ? has('OL') : before.readMs !== null && !onLine);
  const known = onLine && before.ob < confirmations ? 0 : Math.max(before.ob, 0);
  const counted = isOther ? 0 : gives && outageMs !== null ? Math.max(known, confirmations) : known;
  const ob = isUnknown ? obWithOl : has('OB') ? known + 1 : isOver ? 0 : counted;
  const CAL = word(before.words.CAL, has('CAL'), confirmations);
  const LB = word(before.words.LB, CAL.sinceMs !== null && has('LB'), 1);
  const resumedMs =
    ended && askedMs - ended.atMs <= minuteMs ? ended.outageMs + askedMs - ended.atMs : askedMs;
  // What a trigger has decided is an outage as any other.
  const wasUnknown = before.ob < 0 && ob >= 0 && !before.met[own.groupId]?.by;
  const goesOn = wasUnknown ? null : outageMs;
  const rate = !isUnknown && onBattery ? 1 : onLine || isUnknown ? -0.1 : 0;
  // A 0 on battery is no full charge, also where it stood on line power.
  const measured = rate > 0 ? reading.chargePercent : charge;
  const sum = batteryTimeAfter(before.sum, rate, measured, own.holds.longestMs, now, askedMs);
  const nextMs = onBattery ? (goesOn ?? resumedMs) : isOver ? null : goesOn;
  const begins = before.ob < 0 && ob > 0 ? { charge, runtime, reachedMs: now } : before.lows;
  const tellsNothing = nextMs !== null && source === 'neither' && charge === null && runtime === null;
  const after: Seen = {
    ...{ ...before, fsd, lineReadings, readMs: now, inBypass, isDegraded: degrading.some(has) },
    ...(tellsNothing ? {} : { goodMs: watchedMs, replyMs: watchedMs, failed: 0 }),
    known: { charge: charge ?? old.charge, runtime: runtime ?? old.runtime },
    ...{ last: { charge, runtime }, refused: { charge: noCharge, runtime: noRuntime } },
    words: { TEST: word(before.words.TEST, has('TEST'), confirmations), CAL, LB },
    flagMs: onBattery ? (has('LB') ? (before.flagMs ?? now) : null) : isOver ? null : before.flagMs,
    ...{ outageMs: nextMs, lows: nextMs === null ? null : begins },
    ...{ sum, ended: isOver && outageMs !== null && before.ob >= 0 ? { outageMs, atMs: askedMs } : ended },
    ...{ ob, isOnBattery: !isUnknown && (onBattery || (before.isOnBattery && !onLine && !isOver)) },
  };
  const met = [own, ...groups].map((group): [string, Met] => {
    const [{ groupId }, own] = [group, metAfter(group, before, after, clock)];
    if (onBattery) return [groupId, own];
    const by = isOver || wasUnknown ? null : (before.met[groupId]?.by ?? null);
    return [groupId, { ...nothingMet, charge: unmet(own.charge), runtime: unmet(own.runtime), by }];
  });
  return { ...after, met: Object.fromEntries(met) };
}
/** (b), (c), (d). A value in doubt and LB wait for `holds`. */
function metAfter({ groupId: id, triggers: set, holds }: UpsGroup, before: Seen, seen: Seen, at: Clock): Met {
  const { atMs: now, askedMs: asked } = at;
  const [old, { known: last }, lb] = [before.met[id] ?? nothingMet, before, seen.flagMs !== null];
  const { confirmations: enough, lowBatteryPercent: lowest, criticalRuntimeSeconds: critical } = set;
  const { charge: percent, runtime: seconds } = seen.last;
  // Until this reading was asked for: what it shows may be as old.
  const onBatteryMs = Math.max(0, asked - (seen.outageMs ?? now));
  const shortest = set.runtimeSource === 'ups' ? critical : 0;
  const charge = lowAfter(old.charge, percent, lowest, last.charge, 10, at);
  const runtime = lowAfter(old.runtime, seconds, shortest, last.runtime, (last.runtime ?? 0) / 3, at);
  const flag = lb && set.lowBatteryFlag ? old.flag + 1 : 0;
  const time = set.extendedTime.enabled && seen.sum.ms > set.extendedTime.thresholdMs ? old.time + 1 : 0;
  const isLow = (low: Low) => low && low.count >= enough && (!low.inDoubt || lb || low.forMs > holds.valueMs);
  const isHigh = (percent ?? 0) > 2 * lowest && (seconds ?? 0) > 2 * critical;
  const isNear = (percent ?? Infinity) <= lowest || (seconds ?? Infinity) <= critical;
  const holdMs = isNear ? 0 : Math.min(holds.statusMs, 5_000);
  const flagMs = Math.max(Math.min(set.stabilizationMs, 5_000), isHigh ? set.lowBatteryFlagDelayMs : 0);
  const lasts = (sinceMs: Value, minutes: number) => sinceMs !== null && asked - sinceMs < minutes * minuteMs;
  const isTested = lasts(seen.words.TEST.sinceMs, 15) || lasts(seen.ownTestMs, 15);
  const waits = onBatteryMs < set.stabilizationMs || isTested || lasts(seen.words.CAL.sinceMs, 240);
  let by: Met['by'] = null;
  const isFlag = flag >= Math.max(2, enough) && asked - (seen.flagMs ?? now) > holdMs;
  if (isFlag && onBatteryMs >= flagMs && !lasts(seen.words.LB.sinceMs, 1)) by = 'LOW_BATTERY_FLAG';
  if (!waits && seen.ob >= 0 && time >= enough) by = 'EXTENDED_TIME';
  if (!waits && isLow(runtime)) by = 'CRITICAL_RUNTIME';
  if (!waits && isLow(charge)) by = 'LOW_BATTERY';
  return { charge, runtime, flag, time, by: seen.ob < 0 ? by : (old.by ?? by) };
}
/** (a): a flag of before the boot is stale until OB comes with it; one that this daemon has set requests nothing. */
function fsdAfter({ fsd, ownFsdMs }: Seen, isShown: boolean, source: string, askedMs: number): Seen['fsd'] {
  if (fsd === 'own') return isShown || askedMs - ownFsdMs <= minuteMs / 2 ? fsd : 'absent';
  if (fsd === 'acting') return isShown || source !== 'line' ? fsd : 'absent';
  const isStale = (fsd === 'unseen' && source === 'line') || (fsd === 'stale' && source !== 'battery');
  return !isShown ? 'absent' : isStale ? 'stale' : 'acting';
}
