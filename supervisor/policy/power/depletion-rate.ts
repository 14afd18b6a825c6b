// The depletion rate, from fall to fall of the charge: a gauge shows a charge until its next step, so neither the time from the
// transfer to the first step nor a single step says how fast the charge falls.
import type { UpsSettings } from '../base/inputs.js';
import type { Line } from './power-source.js';
import { countsAsBattery, onBatteryMs } from './power-source.js';
import type { AcceptedReading } from './readings.js';
import type { ShownValues } from './value-doubt.js';
import { confirmedJump } from './value-doubt.js';

/** Longer than any driver holds a value. */
const silenceMs = 60_000;

/** For so long no reading has come that a fall may be much older than the first reading with it. */
export function isAfterSilence(last: AcceptedReading | null, askedMs: number): boolean {
  return last !== null && askedMs - last.askedMs > silenceMs;
}

/** A charge, since when it is shown. */
export interface Level {
  readonly atMs: number;
  readonly percent: number;
}

export interface Depletion {
  /** The charge before the first fall, then that after each fall; a charge that rises again takes falls back. */
  readonly levels: readonly Level[];
  /** Percent per minute, 2 decimals; null with fewer than two falls, or too soon after the first. */
  readonly rate: number | null;
  /** When the runtime last changed, in this outage. */
  readonly runtimeReadMs: number | null;
}

export const noDepletion: Depletion = { levels: [], rate: null, runtimeReadMs: null };

export interface RateSettings {
  readonly windowMs: number;
  /** Shorter after the first fall, noise of the gauge dominates. */
  readonly leastMs: number;
  /** The end of the stabilization delay. */
  readonly settledMs: number;
}

/** 30 readings, fewer if half of the window holds fewer. */
const enoughReadings = 30;
export function leastRateMs(windowMs: number, checkIntervalMs: number): number {
  const readings = Math.min(enoughReadings, Math.max(2, Math.floor(windowMs / 2 / checkIntervalMs)));
  return (readings - 1) * checkIntervalMs;
}

/**
 * After a reading, with the values as they were shown before it, and with it. Its times are those at which readings were asked for: those
 * that wait while the daemon stands still are handled at once.
 */
export function depletionAfter(
  depletion: Depletion,
  { reading, source, askedMs, monotonicMs }: AcceptedReading,
  [before, shown]: readonly [ShownValues, ShownValues],
  line: Line,
  policy: UpsSettings,
): Depletion {
  if (!countsAsBattery(line, source)) return depletion;
  const { stabilizationMs, depletion: settings } = policy.triggers;
  const { windowMs } = settings;
  const rateSettings = {
    windowMs,
    leastMs: leastRateMs(windowMs, policy.checkIntervalMs),
    settledMs: monotonicMs - onBatteryMs(line, monotonicMs) + stabilizationMs,
  };
  const isRuntimeNew = shown.runtime.value !== before.runtime.value;
  const read = isRuntimeNew ? { ...depletion, runtimeReadMs: askedMs } : depletion;
  const jump = confirmedJump(before.charge, shown.charge);
  // A charge that is shown on line power alone says nothing of when the battery began to fall.
  const beganMs = line.kind === 'outage' ? (line.clock.beganMs ?? -Infinity) : -Infinity;
  const isKnown =
    jump === null ||
    (before.charge.sinceMs ?? beganMs) < beganMs ||
    read.levels.at(-1)?.percent === jump.percent;
  const confirmed = isKnown ? read : depletionAfterCharge(read, jump, rateSettings);
  const { chargePercent: percent } = reading;
  // A fall is as old as its charge, also where that was in doubt, or shown before an outage that goes on.
  const atMs = shown.charge.firstMs ?? askedMs;
  return percent === null
    ? confirmed
    : depletionAfterCharge(confirmed, { atMs, percent }, rateSettings, askedMs);
}

/** After a charge that is not in doubt at `nowMs`. */
export function depletionAfterCharge(
  depletion: Depletion,
  charge: Level,
  settings: RateSettings,
  nowMs = charge.atMs,
): Depletion {
  const levels = recent(levelsAfter(depletion.levels, charge), nowMs, settings);
  const rate = rateOf(levels, nowMs, settings.leastMs);
  return levels === depletion.levels && rate === depletion.rate ? depletion : { ...depletion, levels, rate };
}

/** Levels fall strictly. One that the charge rises above is gone; one that it rises to keeps its time. */
function levelsAfter(levels: readonly Level[], charge: Level): readonly Level[] {
  const undone = levels.findIndex(({ percent }) => percent <= charge.percent);
  const level = levels[undone];
  if (level === undefined) return [...levels, charge];
  if (level.percent < charge.percent)
    return [...levels.slice(0, undone), { atMs: level.atMs, percent: charge.percent }];
  return undone === levels.length - 1 ? levels : levels.slice(0, undone + 1);
}

/**
 * Without the falls before the window, but for the last two. A charge that is computed from the voltage falls at the transfer:
 * falls of the stabilization delay are gone as soon as later ones could make a rate.
 */
function recent(
  levels: readonly Level[],
  nowMs: number,
  { windowMs, leastMs, settledMs }: RateSettings,
): readonly Level[] {
  const before = (sinceMs: number) => levels.filter(({ atMs }, place) => place > 0 && atMs < sinceMs).length;
  const old = Math.min(before(nowMs - windowMs), Math.max(0, levels.length - 3));
  const unsettled = nowMs - settledMs < leastMs ? 0 : before(settledMs);
  const gone = Math.max(old, unsettled);
  return gone === 0 ? levels : levels.slice(gone);
}

/**
 * The points of the falls but the largest, over the time since the first. Where all are alike, these are the points after the
 * first; one that stands out is a step of the load, the end of a calibration or a gauge in leaps.
 */
function rateOf(levels: readonly Level[], nowMs: number, leastMs: number): number | null {
  const [base, first, second] = levels;
  if (base === undefined || first === undefined || second === undefined) return null;
  if (nowMs - first.atMs < leastMs) return null;
  const { percent: lowest } = levels.at(-1) ?? second;
  let largest = 0;
  let { percent } = base;
  for (const level of levels) {
    largest = Math.max(largest, percent - level.percent);
    ({ percent } = level);
  }
  const perMinute = ((base.percent - lowest - largest) / (nowMs - first.atMs)) * 60_000;
  return Math.round(perMinute * 100) / 100;
}

/** The rate is that of only two falls, and the runtime was read anew since the first: how long ago the second was. */
export function coarseRateMs({ levels, rate, runtimeReadMs }: Depletion, nowMs: number): number | null {
  const [, first, second] = levels;
  if (rate === null || first === undefined || second === undefined || levels.length > 3) return null;
  return runtimeReadMs !== null && runtimeReadMs > first.atMs ? nowMs - second.atMs : null;
}
