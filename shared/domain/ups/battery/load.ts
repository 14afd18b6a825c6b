// Which loads are comparable, and how runtime depends on load. Pure.

/** Percentage points, and the factor. Readings and discharges at loads further apart are never compared. */
export const comparableLoad = 10;
/** At a small load the UPS itself consumes as much: the exponent is 0.7 there, which is 15 % within this factor. */
export const comparableFactor = 4 / 3;

/**
 * Runtime falls with load to this power: Peukert's law for lead acid, 1.1 to 1.3. Within `comparableFactor` an error of 0.1 is
 * 3 %.
 */
export const usualExponent = 1.2;

export function isComparable(a: number, b: number): boolean {
  const isAlike = Math.max(a, b, 1) <= comparableFactor * Math.max(Math.min(a, b), 1);
  return isAlike && Math.abs(a - b) <= comparableLoad;
}

/** The factor from a runtime at load `from` to one at load `to`. A load of 0 is the consumption of the UPS itself. */
export function runtimeFactor(from: number, to: number, exponent = usualExponent): number {
  return (Math.max(from, 1) / Math.max(to, 1)) ** exponent;
}
