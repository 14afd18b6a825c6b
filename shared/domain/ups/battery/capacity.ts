// The capacity that discharges show: the work a battery did while its charge fell by the same points, at a load that is
// comparable. Pure.
import type { CurvePoint } from './discharge.js';
import { isComparable, runtimeFactor, usualExponent } from './load.js';
import { median } from './trend.js';

export interface Discharge {
  readonly curve: readonly CurvePoint[];
  /** The mean of the load; null: unknown, and then it is compared with none. */
  readonly load: number | null;
  /** The power was measured by the UPS, not computed from the load. */
  readonly isMeasured: boolean;
}

/** A discharge that was compared; the first one of a battery has the capacity 1. */
export interface ComparedDischarge extends Discharge {
  readonly capacity: number;
}

/** Points of charge that both discharges must have in common: with whole percents the error is a tenth. */
export const minFall = 10;
/** Without a charge the voltage is compared; it must fall by this share after it has settled under the load. */
const minVoltsFall = 0.03;
const settleSeconds = 30;
/** Comparable discharges that the median is taken of. */
export const comparedWith = 3;

export function meanLoad(curve: readonly CurvePoint[]): number | null {
  const loads = curve.flatMap(({ load }) => (load === null ? [] : [load]));
  if (loads.length === 0) return null;
  const end = curve.at(-1)?.seconds ?? 0;
  return end > 0 && loads.length === curve.length ? loadSecondsAt(curve, end) / end : median(loads);
}

/** Points of charge by which it fell; 0 without a charge. */
export function fallOf(curve: readonly CurvePoint[]): number {
  const levels = smoothByMedian(curve.map(({ charge }) => charge)).filter((level) => level !== null);
  return levels.length === 0 ? 0 : (levels[0] ?? 0) - Math.min(...levels);
}

/** Whether it is long enough to be compared with another one. */
export function isComparableDischarge({ curve, load }: Discharge): boolean {
  return load !== null && axisOf(curve) !== null;
}

/**
 * Against the earlier discharges of the battery: the median of their capacities times the ratios to them. Null when none has a
 * fall in common with it.
 */
export function capacityOf(discharge: Discharge, earlier: readonly ComparedDischarge[]): number | null {
  const found = earlier.flatMap((one) => {
    const ratio = workRatio(discharge, one);
    return ratio === null ? [] : [one.capacity * ratio];
  });
  return median(found);
}

/** The work of `a` over the work of `b` for the same fall of the battery. */
export function workRatio(a: Discharge, b: Discharge): number | null {
  if (a.load === null || b.load === null || !isComparable(a.load, b.load)) return null;
  for (const axis of ['charge', 'volts'] as const) {
    const [ofA, ofB] = [levelsOf(a.curve, axis), levelsOf(b.curve, axis)];
    if (ofA === null || ofB === null) continue;
    const from = Math.min(ofA.first, ofB.first);
    const to = Math.max(ofA.lowest, ofB.lowest);
    if (from - to < minFallOf(axis, from)) return null;
    const isMeasured = a.isMeasured && b.isMeasured;
    const [workA, workB] = [
      workBetween(a, ofA, from, to, isMeasured),
      workBetween(b, ofB, from, to, isMeasured),
    ];
    // A battery gives more at a lower load: brought to the load of `b`.
    const atLoadOfB = runtimeFactor(a.load, b.load, usualExponent - 1);
    return workA > 0 && workB > 0 ? (workA / workB) * atLoadOfB : null;
  }
  return null;
}

interface Levels {
  readonly values: readonly (number | null)[];
  readonly first: number;
  readonly lowest: number;
}

/** Null where the values do not fall enough. */
function levelsOf(curve: readonly CurvePoint[], axis: 'charge' | 'volts'): Levels | null {
  const values = smoothByMedian(
    curve.map((point) => (axis === 'volts' && point.seconds < settleSeconds ? null : point[axis])),
  );
  const known = values.filter((value) => value !== null);
  const [first] = known;
  if (first === undefined) return null;
  const lowest = Math.min(...known);
  return first - lowest < minFallOf(axis, first) ? null : { values, first, lowest };
}

function axisOf(curve: readonly CurvePoint[]): Levels | null {
  return levelsOf(curve, 'charge') ?? levelsOf(curve, 'volts');
}

function minFallOf(axis: 'charge' | 'volts', first: number): number {
  return axis === 'charge' ? minFall : first * minVoltsFall;
}

/** Measured energy where both have it; else the load over time, which no setting scales. */
function workBetween(
  { curve }: Discharge,
  levels: Levels,
  from: number,
  to: number,
  isMeasured: boolean,
): number {
  const [start, end] = [crossing(curve, levels, from), crossing(curve, levels, to)];
  const work = isMeasured ? whAt : loadSecondsAt;
  return work(curve, end) - work(curve, start);
}

/** The seconds at which the level is first reached, between two points by a straight line. */
function crossing(curve: readonly CurvePoint[], { values }: Levels, level: number): number {
  let before: { readonly seconds: number; readonly value: number } | undefined;
  for (const [place, { seconds }] of curve.entries()) {
    const value = values[place] ?? null;
    if (value === null) continue;
    if (value <= level) {
      if (before === undefined || before.value === value) return seconds;
      return before.seconds + ((before.value - level) / (before.value - value)) * (seconds - before.seconds);
    }
    before = { seconds, value };
  }
  return before?.seconds ?? 0;
}

function whAt(curve: readonly CurvePoint[], seconds: number): number {
  let before = curve[0];
  for (const point of curve) {
    if (point.seconds >= seconds && before !== undefined) {
      const span = point.seconds - before.seconds;
      const part = span === 0 ? 0 : (seconds - before.seconds) / span;
      return (before.wh ?? NaN) + part * ((point.wh ?? NaN) - (before.wh ?? NaN));
    }
    before = point;
  }
  return before?.wh ?? NaN;
}

/** Percent times seconds. */
function loadSecondsAt(curve: readonly CurvePoint[], seconds: number): number {
  let sum = 0;
  for (const [place, point] of curve.entries()) {
    const next = curve[place + 1];
    if (next === undefined || point.seconds >= seconds) break;
    const until = Math.min(next.seconds, seconds);
    sum += (((point.load ?? NaN) + (next.load ?? NaN)) / 2) * (until - point.seconds);
  }
  return sum;
}

/** The median of each value and its neighbours: one value that is wrong changes nothing. */
function smoothByMedian(values: readonly (number | null)[]): readonly (number | null)[] {
  return values.map((value, place) => {
    if (value === null || place === 0 || place === values.length - 1) return value;
    const [before, after] = [values[place - 1] ?? null, values[place + 1] ?? null];
    return before === null || after === null ? value : median([before, value, after]);
  });
}
