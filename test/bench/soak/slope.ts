// Whether a quantity grows: linear least squares of its samples, with the standard error of the slope.

export interface Sample {
  readonly hour: number;
  readonly value: number;
}

export interface Slope {
  /** Of the quantity per hour. */
  readonly perHour: number;
  /** Standard error of `perHour`. */
  readonly error: number;
  readonly mean: number;
}

/** NaN in all fields for fewer than three samples. */
export function slopeOf(samples: readonly Sample[]): Slope {
  const n = samples.length;
  if (n < 3) return { perHour: NaN, error: NaN, mean: NaN };
  const meanOf = (of: (sample: Sample) => number): number =>
    samples.reduce((sum, one) => sum + of(one), 0) / n;
  const meanHour = meanOf(({ hour }) => hour);
  const mean = meanOf(({ value }) => value);
  const sum = (of: (dHour: number, dValue: number) => number): number =>
    samples.reduce((total, { hour, value }) => total + of(hour - meanHour, value - mean), 0);
  const spread = sum((dHour) => dHour * dHour);
  const perHour = sum((dHour, dValue) => dHour * dValue) / spread;
  const rest = sum((dHour, dValue) => (dValue - perHour * dHour) ** 2);
  return { perHour, error: Math.sqrt(rest / (n - 2) / spread), mean };
}

/** Growth per hour that fills no machine within a year. */
const negligiblePerHour = 0.02;

/** Flat: the slope is within two standard errors of zero, or below `negligible` (in MB: 175 MB per year). */
export function isFlat({ perHour, error }: Slope, negligible = negligiblePerHour): boolean {
  return perHour - 2 * error <= 0 || perHour < negligible;
}
