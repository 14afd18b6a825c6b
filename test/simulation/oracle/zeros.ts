// "Values outside physics" of specification/policy.md: which 0 of a charge or runtime is believed.

/** Since when it is 0, first on line power, and whether a value above it was ever read. */
export interface Zero {
  readonly sinceMs: number | null;
  readonly hadValue: boolean;
}

export const noZero: Zero = { sinceMs: null, hadValue: false };

/** "It has been 0 for less than 4 hours." */
const chargingMs = 4 * 3_600_000;

export function zeroAfter(before: Zero, value: number | null, onLine: boolean, atMs: number): Zero {
  if (value === null) return before;
  if (value > 0) return { sinceMs: null, hadValue: true };
  return { ...before, sinceMs: before.sinceMs ?? (onLine ? atMs : null) };
}

/** Null for a 0 that is missing. The worlds report no voltage of a battery. */
export function believed(
  value: number | null,
  { sinceMs, hadValue }: Zero,
  onLine: boolean,
  words: readonly string[],
  atMs: number,
): number | null {
  if (value !== 0) return value;
  const isProven = sinceMs === null || words.includes('LB') || (hadValue && atMs - sinceMs < chargingMs);
  return !onLine && isProven ? value : null;
}
