// The history of one metric as columns for a chart. Pure. A time without readings is a gap without a line.
import type { HistoryBody } from '../../shared/http/bodies.js';

export interface ChartPoint {
  /** Unix seconds of the bucket's start. */
  readonly ts: number;
  readonly value: number;
  readonly min: number;
  readonly max: number;
}

/** Columns of equal length: time, value, minimum, maximum. Null draws nothing. */
export type ChartColumns = readonly [number[], (number | null)[], (number | null)[], (number | null)[]];

/** Two readings with a greater distance (in usual distances) are separated by a gap: one missed poll makes none, three do. */
const gapFactor = 3.5;

/** The points of a chart: a value holds until the next one; before a gap it ends with its own bucket. */
export function columnsOf(points: readonly ChartPoint[], stepSeconds: number): ChartColumns {
  const columns: ChartColumns = [[], [], [], []];
  const usual = usualDistance(points, stepSeconds);
  points.forEach((point, index) => {
    push(columns, point.ts, point);
    const next = points[index + 1]?.ts ?? Infinity;
    if (next - point.ts <= usual * gapFactor) return;
    push(columns, point.ts + usual, point);
    if (next !== Infinity) push(columns, (point.ts + usual + next) / 2, null);
  });
  return columns;
}

function push([x, value, min, max]: ChartColumns, ts: number, point: ChartPoint | null): void {
  x.push(ts);
  value.push(point?.value ?? null);
  min.push(point?.min ?? null);
  max.push(point?.max ?? null);
}

/** The median distance of the readings: a UPS is polled every 1 to 30 s. */
export function usualDistance(points: readonly ChartPoint[], stepSeconds: number): number {
  const distances = points
    .slice(1)
    .map(({ ts }, index) => ts - (points[index]?.ts ?? ts))
    .sort((a, b) => a - b);
  return Math.max(stepSeconds, distances[Math.floor(distances.length / 2)] ?? stepSeconds);
}

export interface Summary {
  readonly min: number;
  readonly max: number;
  readonly last: number;
}

/** Null for a series without data: its values are unknown, not 0. */
export function summaryOf({ data }: Pick<HistoryBody, 'data'>): Summary | null {
  const last = data.at(-1);
  if (last === undefined) return null;
  return {
    min: data.reduce((least, point) => Math.min(least, point.min), Infinity),
    max: data.reduce((most, point) => Math.max(most, point.max), -Infinity),
    last: last.value,
  };
}
