// A row of block characters for values over time. A column without a value stays empty, because a gap is not 0.
import type { HistoryBody } from '../../../shared/http/bodies.js';

const blocks = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

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

/** One character a column; `low` is the lowest block, `high` the full one. */
export function bars(columns: readonly (number | null)[], low: number, high: number): string {
  return columns
    .map((value) => {
      if (value === null) return ' ';
      const level = Math.floor(((value - low) / (high - low)) * blocks.length);
      return blocks[Math.min(blocks.length - 1, Math.max(0, level))] ?? ' ';
    })
    .join('');
}
