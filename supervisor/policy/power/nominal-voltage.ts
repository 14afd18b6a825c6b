// The nominal voltage of the mains: as the UPS reports it, corrected by the first readings.

/** The nominal voltages of all grids, to neutral and between phases; a UPS or its meter may be off by a few volts. */
const grid = [100, 110, 115, 120, 127, 200, 208, 220, 230, 240, 277, 380, 400, 415, 480];
const snapWithinVolts = 15;
/** A UPS that reports less reports no mains voltage. */
const minVolts = 50;
/** Readings on line power from which the grid voltage is learned. */
const learnedFrom = 10;
/** Beyond this the reported nominal voltage belongs to another grid. */
const mismatchVolts = 25;

/** Half of nominal or less carries nothing. A UPS that shows no voltage may have mains. */
export function mayHaveMains(inputVolts: number | null, nominalVolts: number | null): boolean {
  return inputVolts === null || inputVolts > (nominalVolts === null ? minVolts : nominalVolts / 2);
}

export interface Nominal {
  readonly reportedVolts: number | null;
  readonly learned: readonly number[];
  readonly nominalVolts: number | null;
}

export interface NominalStep {
  readonly nominal: Nominal;
  /** The first readings have just replaced a contradicting nominal voltage. */
  readonly mismatch: { readonly beforeVolts: number; readonly afterVolts: number } | null;
}

/** Null when nothing changes. `volts`: the input on line power, or null. */
export function nominalAfter(
  before: Nominal,
  reported: number | null,
  volts: number | null,
): NominalStep | null {
  const isNew = reported !== null && reported >= minVolts && reported !== before.reportedVolts;
  // Another reported value means another UPS or a new setting: learning starts again.
  const known = isNew ? { reportedVolts: reported, learned: [], nominalVolts: snapped(reported) } : before;
  if (volts === null || volts < minVolts || known.learned.length >= learnedFrom) {
    return isNew ? { nominal: known, mismatch: null } : null;
  }
  const { reportedVolts, nominalVolts } = known;
  const learned = [...known.learned, volts];
  const nominal = { reportedVolts, learned, nominalVolts };
  if (learned.length < learnedFrom) return { nominal, mismatch: null };
  const median = medianOf(learned);
  if (nominalVolts !== null && Math.abs(median - nominalVolts) <= mismatchVolts)
    return { nominal, mismatch: null };
  const afterVolts = snapped(median);
  // Mains that is too high or too low when the daemon starts is of no grid.
  if (nominalVolts !== null && !grid.includes(afterVolts)) return { nominal, mismatch: null };
  const mismatch = nominalVolts === null ? null : { beforeVolts: nominalVolts, afterVolts };
  return { nominal: { ...nominal, nominalVolts: afterVolts }, mismatch };
}

/** The nearest grid voltage within 15 V, the lower of two; else the voltage itself. */
function snapped(volts: number): number {
  const nearest = grid.reduce((best, candidate) =>
    Math.abs(candidate - volts) < Math.abs(best - volts) ? candidate : best,
  );
  return Math.abs(nearest - volts) <= snapWithinVolts ? nearest : volts;
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.slice(sorted.length / 2 - 1, sorted.length / 2 + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}
