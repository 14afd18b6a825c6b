// The power source of the load and the clock of the outage, by good readings: their status words, in bypass the input voltage too, and
// with OL and OB at once charge, runtime and triggers.
import type { PowerSource } from '../../../shared/domain/ups/status-words.js';
import { unreachable } from '../../../shared/domain/base/unreachable.js';
import type { BatteryFall, BatteryValues, Lows } from './battery-fall.js';
import { confirmedFellMs, fallAfter, fellMs, lowsAfter, lowsAt, noFall } from './battery-fall.js';
import type { BatteryUse } from './battery-time.js';
import type { PolicyClock } from '../base/clock.js';
import { reuseUnchanged } from '../base/comparison.js';

/** Two outages within this time are one: the battery has not recharged (specification/policy.md#outage). */
const resumeWithinMs = 60_000;
/** A battery that feeds a load shows a lower value within this; no longer than the threshold of EXTENDED_TIME, which would act first. */
const quietMs = 5 * 60_000;

/** When the load went on battery, later by the time on line power and in bypass. Time on battery and the stabilization delay run from here. */
export interface OutageClock {
  readonly startedMs: number;
  /** When the load first went on battery; null where an earlier version began it. */
  readonly beganMs: number | null;
}

export interface EndedOutage extends OutageClock {
  readonly endedMs: number;
}

/** BYPASS in every reading since `sinceMs`: mains feed the load, and the clock of the outage stands. */
export interface Bypass {
  readonly sinceMs: number;
  /** Since when every reading showed mains at the input, or no voltage; null while the last one shows too little. */
  readonly mainsSinceMs: number | null;
}

/**
 *            OB                  `confirmations` readings in a row with line power, or BYPASS with mains for `bypass_end_delay`
 *   unseen ------> outage ----------------------------------------------------------------> mains
 *      |             ^                                                                        |
 *      +--> mains ---+------- OB; within 60 s of the end with the earlier clock <-------------+
 *
 *      |             ^ OB without OL; a fall of charge or runtime; a trigger that is met
 *      |  OL with OB |
 *      +--> unknown -+--- OL without OB --> mains
 *                ^                                                     |
 *                +---- OL with OB, 5 min without OB alone or a lower value
 *
 * A single OL ends no `outage`, nor does OFF. Words that name no source go on as OB would, once OB is confirmed. Only OB starts one.
 * `unknown`: every reading since the first of this boot has OL and OB, as some devices show on mains. Only charge, runtime and LB act.
 */
export type Line =
  | { readonly kind: 'unseen' }
  | { readonly kind: 'mains'; readonly ended: EndedOutage | null }
  | { readonly kind: 'unknown'; readonly sinceMs: number; readonly fall: BatteryFall }
  | {
      readonly kind: 'outage';
      readonly clock: OutageClock;
      readonly lineReadings: number;
      /** The last reading counts as OB, or one before BYPASS did. */
      readonly onBattery: boolean;
      readonly bypass: Bypass | null;
      /** Readings in a row with OB; null once `confirmations` of them have confirmed it. */
      readonly obReadings: number | null;
      /** Of a UPS that showed OL with OB in every reading before it, and shows both on mains. */
      readonly lows: Lows | null;
    };

/** What a reading says of the source. */
export interface SourceReading {
  readonly source: PowerSource;
  /** The input voltage is above half of nominal, or not shown. */
  readonly mayHaveMains: boolean;
  /** OL together with OB. */
  readonly isBoth: boolean;
  /** A word of a battery that gives, where none names the source: DISCHRG, LB. */
  readonly isDischarging: boolean;
  readonly values: BatteryValues;
  /** Of the values, by the driver; 0 unless the source is unknown. */
  readonly holdMs: () => number;
  /** The last reading met a trigger by charge, runtime or LB. */
  readonly isLow: boolean;
  /** A sequence of the UPS runs. */
  readonly hasSequence: boolean;
}

export interface LineSettings {
  readonly confirmations: number;
  /** 0: BYPASS ends no outage. */
  readonly bypassEndMs: number;
}

export const unseenLine: Line = { kind: 'unseen' };

const mains: Line = { kind: 'mains', ended: null };

/** The line after a good reading; `now`: when that was asked for, so that what must have lasted has done so until then. */
export function lineAfterReading(
  line: Line,
  reading: SourceReading,
  settings: LineSettings,
  now: PolicyClock,
): Line {
  const { source } = reading;
  switch (line.kind) {
    case 'unseen':
      if (source !== 'battery') return mains;
      return reading.isBoth && !reading.hasSequence
        ? unknownSource(reading, now)
        : begun(now, settings.confirmations);
    case 'unknown':
      return inUnknown(line, reading, settings, now);
    case 'mains':
      if (source !== 'battery') return line;
      if (line.ended === null || now.monotonicMs - line.ended.endedMs > resumeWithinMs)
        return begun(now, settings.confirmations);
      return resumed(line.ended, settings.confirmations, now);
    case 'outage':
      return inOutage(line, reading, settings, now);
    default:
      return unreachable(line);
  }
}

/** The last known status counts as OB: without readings the outage is assumed to go on. */
export function isOnBattery(line: Line): boolean {
  return line.kind === 'outage' && line.onBattery;
}

/** A reading of `source`, after which the line is `line`, counts as OB: its values, LB and the clock act. */
export function countsAsBattery(line: Line, source: PowerSource): boolean {
  return line.kind !== 'unknown' && mayBeBattery(line, source);
}

/** The same, or the source is unknown: LB counts, and the first values of the outage are those of this reading. */
export function mayBeBattery(line: Line, source: PowerSource): boolean {
  if (source === 'battery') return true;
  if (line.kind !== 'outage') return false;
  return source === 'off' || (source === 'neither' && line.obReadings === null);
}

/** The source is unknown, and this reading shows OL and OB too. */
export function isUnknownSource(line: Line, source: PowerSource): boolean {
  return line.kind === 'unknown' && source === 'battery';
}

/** The outage that a trigger shows at a reading whose source is unknown. */
export function outageByTrigger(
  line: Line,
  values: BatteryValues,
  { confirmations }: LineSettings,
  now: PolicyClock,
): Line {
  if (line.kind !== 'unknown') return line;
  return begunByValues(fellMs(line.fall, values), values, confirmations, now);
}

/** What the battery does from a reading of `source` to the next, for the time that it gives. */
export function batteryUse(line: Line, source: PowerSource): BatteryUse {
  if (line.kind === 'unknown') return 'charges';
  if (countsAsBattery(line, source)) return 'gives';
  return source === 'line' ? 'charges' : 'rests';
}

/** Milliseconds on battery; 0 without an outage. */
export function onBatteryMs(line: Line, nowMs: number): number {
  return line.kind === 'outage' ? Math.max(0, (line.bypass?.sinceMs ?? nowMs) - line.clock.startedMs) : 0;
}

/** Some devices and drivers report the charge late: what fell in the outage shows after it. */
const settlingMs = 60_000;

/** In an outage, or shortly after one. */
export function isSettling(line: Line, nowMs: number): boolean {
  if (line.kind !== 'mains') return line.kind === 'outage';
  return line.ended !== null && nowMs - line.ended.endedMs < settlingMs;
}

/** A new transfer to battery, not one that resumes the outage that just ended. */
export function isFreshOutage(before: Line, after: Line, { monotonicMs }: PolicyClock): boolean {
  if (before.kind === 'outage' || after.kind !== 'outage') return false;
  return before.kind === 'unknown' || after.clock.startedMs === monotonicMs;
}

/**
 * How long the battery had given before the status or a trigger showed it: since the first value of the fall. Below 0: what it has not
 * given, in an outage by values that did not go on falling.
 */
export function batteryMsBefore(before: Line, after: Line, { monotonicMs }: PolicyClock): number {
  if (before.kind === 'outage' && after.kind === 'unknown') return -onBatteryMs(before, monotonicMs);
  return before.kind === 'unknown' && after.kind === 'outage' ? monotonicMs - after.clock.startedMs : 0;
}

type Outage = Extract<Line, { kind: 'outage' }>;

function inOutage(line: Outage, reading: SourceReading, settings: LineSettings, now: PolicyClock): Line {
  if (reading.source === 'bypass') return inBypass(line, reading, settings.bypassEndMs, now);
  const outage = withoutBypass(line, now);
  if (reading.source === 'battery') return onBattery(outage, reading, settings, now);
  const { confirmations } = settings;
  const obReadings = reading.isDischarging ? null : outage.obReadings;
  if (reading.source === 'off' || (reading.source === 'neither' && obReadings === null))
    return reuseUnchanged(outage, { ...outage, lineReadings: 0, onBattery: true, obReadings });
  const lineReadings = outage.lineReadings + 1;
  if (lineReadings >= confirmations) return ended(outage, now);
  const keepsSource = reading.source === 'neither' && outage.onBattery;
  return { ...outage, lineReadings, onBattery: keepsSource, obReadings: obReadings === null ? null : 0 };
}

function onBattery(
  outage: Outage,
  reading: SourceReading,
  { confirmations }: LineSettings,
  now: PolicyClock,
): Line {
  const lows = outage.lows === null ? null : lowsOf(outage.lows, reading, now.monotonicMs);
  const isQuiet = lows !== null && now.monotonicMs - lows.reachedMs > quietMs;
  if (isQuiet && !reading.isLow && !reading.hasSequence) return unknownSource(reading, now);
  const readings = (outage.obReadings ?? confirmations) + 1;
  const obReadings = readings >= confirmations ? null : readings;
  return reuseUnchanged(outage, { ...outage, lineReadings: 0, onBattery: true, obReadings, lows });
}

function lowsOf(lows: Lows, { isBoth, values }: SourceReading, nowMs: number): Lows {
  const after = lowsAfter(lows, values, nowMs);
  return isBoth ? after : { ...after, reachedMs: nowMs };
}

type Unknown = Extract<Line, { kind: 'unknown' }>;

function unknownSource({ values }: SourceReading, { monotonicMs }: PolicyClock): Unknown {
  return { kind: 'unknown', sinceMs: monotonicMs, fall: fallAfter(noFall(monotonicMs), values, monotonicMs) };
}

function inUnknown(
  line: Unknown,
  { source, isBoth, values, holdMs, hasSequence }: SourceReading,
  { confirmations }: LineSettings,
  now: PolicyClock,
): Line {
  if (source === 'line') return mains;
  if (source !== 'battery') return line;
  const fall = fallAfter(line.fall, values, now.monotonicMs);
  if (!isBoth || hasSequence) return begunByValues(fellMs(fall, values), values, confirmations, now);
  const fell = confirmedFellMs(fall, values, confirmations, holdMs(), now.monotonicMs);
  return fell === null ? { ...line, fall } : begunByValues(fell, values, confirmations, now);
}

function inBypass(line: Outage, reading: SourceReading, endMs: number, now: PolicyClock): Line {
  const nowMs = now.monotonicMs;
  const mainsSinceMs = reading.mayHaveMains ? (line.bypass?.mainsSinceMs ?? nowMs) : null;
  if (endMs > 0 && mainsSinceMs !== null && nowMs - mainsSinceMs >= endMs) {
    return ended(withoutBypass(line, now), now);
  }
  if (line.bypass !== null && line.bypass.mainsSinceMs === mainsSinceMs) return line;
  return { ...line, lineReadings: 0, bypass: { sinceMs: line.bypass?.sinceMs ?? nowMs, mainsSinceMs } };
}

/** The clock goes on from where it stood. */
function withoutBypass(line: Outage, { monotonicMs }: PolicyClock): Outage {
  if (line.bypass === null) return line;
  const startedMs = line.clock.startedMs + (monotonicMs - line.bypass.sinceMs);
  return { ...line, clock: { ...line.clock, startedMs }, bypass: null };
}

function ended({ clock }: Outage, { monotonicMs }: PolicyClock): Line {
  return { kind: 'mains', ended: { ...clock, endedMs: monotonicMs } };
}

/** `atMs`: when the values began to fall, before the status or a trigger showed it; null for now. */
function begunByValues(
  atMs: number | null,
  values: BatteryValues,
  confirmations: number,
  now: PolicyClock,
): Outage {
  const startedMs = atMs ?? now.monotonicMs;
  const lows = lowsAt(values, now.monotonicMs);
  return { ...newOutage({ startedMs, beganMs: startedMs }, confirmations), lows };
}

function begun({ monotonicMs }: PolicyClock, confirmations: number): Outage {
  return newOutage({ startedMs: monotonicMs, beganMs: monotonicMs }, confirmations);
}

/** Without the time on line power: the time on battery is what the battery has given. */
function resumed(
  { startedMs, beganMs, endedMs }: EndedOutage,
  confirmations: number,
  { monotonicMs }: PolicyClock,
): Outage {
  return newOutage({ startedMs: startedMs + (monotonicMs - endedMs), beganMs }, confirmations);
}

function newOutage(clock: OutageClock, confirmations: number): Outage {
  const obReadings = confirmations > 1 ? 1 : null;
  return { kind: 'outage', clock, lineReadings: 0, onBattery: true, bypass: null, obReadings, lows: null };
}
