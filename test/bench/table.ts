// Prints figures as an aligned table of plain text, one row each.

export interface Figure {
  readonly what: string;
  readonly value: string;
  /** Its reference: a goal, a baseline, a bound. */
  readonly against?: string;
}

export function printFigures(title: string, figures: readonly Figure[]): void {
  const width = Math.max(...figures.map(({ what }) => what.length));
  const valueWidth = Math.max(...figures.map(({ value }) => value.length));
  process.stdout.write(`\n${title}\n`);
  for (const { what, value, against } of figures) {
    const line = `  ${what.padEnd(width)}  ${value.padStart(valueWidth)}${against === undefined ? '' : `   ${against}`}`;
    process.stdout.write(`${line}\n`);
  }
}

/** The value at `share` (0 to 1) of the sorted numbers: the nearest-rank percentile. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? NaN;
}

/** For any number of values: a day has more of them than a call can have arguments. */
export function spread(values: readonly number[], unit: string, digits = 1): string {
  const show = (value: number) => value.toFixed(digits);
  return `p50 ${show(percentile(values, 0.5))}  p99 ${show(percentile(values, 0.99))}  max ${show(percentile(values, 1))} ${unit}`;
}
