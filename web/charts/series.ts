// The history of one metric as columns for a chart. Pure. A time without readings is a gap, never a line across it.
import type { HistoryBody } from '../../shared/http/bodies.js';

export interface Point {
  /** Unix seconds of the bucket's start. */
  readonly ts: number;
  readonly value: number;
  readonly min: number;
  readonly max: number;
}

/** Columns of equal length: time, value, minimum, maximum. Null draws nothing. */
export type Columns = readonly [number[], (number | null)[], (number | null)[], (number | null)[]];

/** How many usual distances may lie between two readings of one line: a missed poll is no gap, three are. */
const gapFactor = 3.5;

/** What a chart draws: each value holds until the next one, and ends with its own bucket where the next one is far. */
export function columnsOf(points: readonly Point[], stepSeconds: number): Columns {
  const columns: Columns = [[], [], [], []];
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

function push([x, value, min, max]: Columns, ts: number, point: Point | null): void {
  x.push(ts);
  value.push(point?.value ?? null);
  min.push(point?.min ?? null);
  max.push(point?.max ?? null);
}

/** The distance at which readings usually come: a UPS may be polled every second or every thirty. */
export function usualDistance(points: readonly Point[], stepSeconds: number): number {
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

/** Null for a series without data: nothing is known then, least of all zero. */
export function summaryOf({ data }: Pick<HistoryBody, 'data'>): Summary | null {
  const last = data.at(-1);
  if (last === undefined) return null;
  return {
    min: data.reduce((least, point) => Math.min(least, point.min), Infinity),
    max: data.reduce((most, point) => Math.max(most, point.max), -Infinity),
    last: last.value,
  };
}
