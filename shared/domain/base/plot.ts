// A row of block characters for values over time. A column without a value stays empty, because a gap is not 0.

const blocks = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

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
