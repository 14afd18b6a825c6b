// The runtime that a UPS reports when full, day by day, against its nominal. The nominal belongs to a load; when the load
// changes for good it moves with it and keeps the ratio. A jump upwards is a new battery. Pure.
import { isComparable, runtimeFactor } from './load.js';
import { median } from './trend.js';

/** One full and rested reading. */
export interface FullReading {
  readonly load: number;
  readonly runtime: number;
}

/** A day with full readings. `day`: days since 1970, UTC. `ratio`: to the nominal of that day, null where not comparable. */
export interface FullDay extends FullReading {
  readonly day: number;
  readonly ratio: number | null;
}

/** The runtime in seconds of the battery when new, at a load. */
export type Nominal = FullReading;

/** Days until the nominal is learned, and until a change counts as one. */
export const learningDays = 3;
const movingDays = 7;
/** Days whose median is the present ratio, and how old they may be. */
export const presentDays = 7;
const presentAgeDays = 30;
/** Days before a jump that it is compared with. */
const beforeDays = 14;
/** More than any noise or the wrong exponent of a load within the comparable ones. */
const jumpRatio = 1.2;

/** The median of readings, at the load that is usual in them. */
export function typicalOf(readings: readonly FullReading[]): FullReading | null {
  const load = median(readings.map((reading) => reading.load));
  if (load === null) return null;
  const runtime = median(
    readings
      .filter((reading) => isComparable(reading.load, load))
      .map((reading) => reading.runtime * runtimeFactor(reading.load, load)),
  );
  return runtime === null || runtime <= 0 ? null : { load, runtime };
}

/** Null at a load that cannot be compared. */
export function ratioOf({ load, runtime }: FullReading, nominal: Nominal): number | null {
  if (!isComparable(load, nominal.load)) return null;
  return (runtime * runtimeFactor(load, nominal.load)) / nominal.runtime;
}

/** From the first days of a series at one load; `configuredSeconds` 0: learned. Null while there are too few. */
export function firstNominal(days: readonly FullDay[], configuredSeconds: number): Nominal | null {
  for (let first = 0; first + learningDays <= days.length; first += 1) {
    const some = days.slice(first, first + learningDays);
    const typical = typicalOf(some);
    if (typical === null || some.some(({ load }) => !isComparable(load, typical.load))) continue;
    return { load: typical.load, runtime: configuredSeconds > 0 ? configuredSeconds : typical.runtime };
  }
  return null;
}

/** The nominal at the load of the last days, when none of them is comparable with it any more; else as it was. */
export function movedNominal(days: readonly FullDay[], nominal: Nominal): Nominal {
  const newest = days.slice(-movingDays);
  const typical = typicalOf(newest);
  if (newest.length < movingDays || typical === null) return nominal;
  const isNewLoad = newest.every(({ load, ratio }) => ratio === null && isComparable(load, typical.load));
  if (!isNewLoad) return nominal;
  return { load: typical.load, runtime: typical.runtime / (median(lastRatios(days, presentDays)) ?? 1) };
}

/** The first day of a new battery; null without a jump. `days` are complete and of one series. */
export function jumpDay(days: readonly FullDay[]): number | null {
  const ratios = days.filter(({ ratio }) => ratio !== null);
  const after = ratios.slice(-learningDays);
  const before = ratios.slice(-learningDays - beforeDays, -learningDays);
  const level = median(lastRatios(before, beforeDays));
  if (before.length < learningDays || level === null) return null;
  return after.every(({ ratio }) => (ratio ?? 0) > level * jumpRatio) ? (after[0]?.day ?? null) : null;
}

/** The present ratio; null without a comparable day in the last month. */
export function presentRatio(days: readonly FullDay[], today: number): number | null {
  const recent = days.filter(({ day }) => day <= today && day >= today - presentAgeDays);
  return median(lastRatios(recent, presentDays));
}

function lastRatios(days: readonly FullDay[], count: number): readonly number[] {
  return days.flatMap(({ ratio }) => (ratio === null ? [] : [ratio])).slice(-count);
}
