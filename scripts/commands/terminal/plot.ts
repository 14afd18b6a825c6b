// The columns of a plot in a terminal.
import type { HistoryBody } from '../../../shared/http/bodies.js';

/** The mean of the values in each of `width` columns from `from` to `to`; null for an empty column. */
export function columnsOf(
  { from, to, stepSeconds, data }: HistoryBody,
  width: number,
): readonly (number | null)[] {
  const sums = Array.from({ length: width }, () => ({ n: 0, total: 0 }));
  const column = (second: number): number =>
    Math.min(width - 1, Math.max(0, Math.floor(((second - from) / Math.max(1, to - from)) * width)));
  for (const { ts, value } of data)
    for (let at = column(ts); at <= column(Math.min(to, ts + stepSeconds - 1)); at += 1) {
      const sum = sums[at];
      if (sum === undefined) continue;
      sum.n += 1;
      sum.total += value;
    }
  return sums.map(({ n, total }) => (n === 0 ? null : total / n));
}
