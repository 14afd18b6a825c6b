// Median and robust straight line (Theil-Sen) with its uncertainty. Pure.

export interface TrendPoint {
  readonly x: number;
  readonly y: number;
}

/** Slope per unit of x; the true one is between `low` and `high` in 90 % of the cases (Sen 1968, normal approximation). */
export interface Trend {
  readonly slope: number;
  readonly low: number;
  readonly high: number;
}

/** With fewer points the interval is no interval. */
const minPoints = 4;
/** Of more points neighbours are put together: 60 points have 1,770 slopes. */
const maxPoints = 60;
/** 90 % of a normal distribution. */
export const ninetyPercent = 1.645;

export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

/** `points` in order of x. Null with too few of them. */
export function trendOf(points: readonly TrendPoint[]): Trend | null {
  const few = thinPoints(points);
  if (few.length < minPoints) return null;
  const slopes = few
    .flatMap((a, index) => few.slice(index + 1).map((b) => (b.x === a.x ? NaN : (b.y - a.y) / (b.x - a.x))))
    .filter((slope) => Number.isFinite(slope))
    .sort((a, b) => a - b);
  const slope = median(slopes);
  if (slope === null) return null;
  const n = few.length;
  const width = ninetyPercent * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  const at = (rank: number): number =>
    slopes[Math.min(slopes.length - 1, Math.max(0, Math.round(rank)))] ?? slope;
  return { slope, low: at((slopes.length - width) / 2 - 1), high: at((slopes.length + width) / 2) };
}

/** The median distance of the points from the line through their medians: a robust standard deviation. */
export function scatterOf(points: readonly TrendPoint[], slope: number): number {
  const offsets = points.map(({ x, y }) => y - slope * x);
  const middle = median(offsets) ?? 0;
  // 1.4826: from the median of the deviations to the standard deviation of a normal distribution.
  return 1.4826 * (median(offsets.map((offset) => Math.abs(offset - middle))) ?? 0);
}

function thinPoints(points: readonly TrendPoint[]): readonly TrendPoint[] {
  const size = Math.ceil(points.length / maxPoints);
  if (size <= 1) return points;
  return Array.from({ length: Math.ceil(points.length / size) }, (_, place) => {
    const part = points.slice(place * size, (place + 1) * size);
    return { x: median(part.map(({ x }) => x)) ?? 0, y: median(part.map(({ y }) => y)) ?? 0 };
  });
}
