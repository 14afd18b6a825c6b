// "Values outside physics" of specification/policy.md: which 0 of a charge or runtime is believed.
import type { Variables } from '../../../shared/domain/ups/reading.js';

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

/** The voltage of the battery is below its nominal one; a worn-out cell of another size is not. */
export function isBelowNominal(variables: Variables): boolean {
  const [volts, nominal] = [variables['battery.voltage'], variables['battery.voltage.nominal']].map(Number);
  return volts !== undefined && nominal !== undefined && volts < nominal && volts >= 0.7 * nominal;
}

/** Null for a 0 that is missing. */
export function believed(
  value: number | null,
  { sinceMs, hadValue }: Zero,
  onLine: boolean,
  isEmpty: boolean,
  atMs: number,
): number | null {
  if (value !== 0) return value;
  const isProven = sinceMs === null || isEmpty || (hadValue && atMs - sinceMs < chargingMs);
  return !onLine && isProven ? value : null;
}
