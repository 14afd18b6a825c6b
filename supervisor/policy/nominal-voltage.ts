// The nominal voltage of the mains: what the UPS says it is, corrected by what the first readings show it to be.

/** The nominal voltages of the world's grids; a UPS or its meter may be a few volts off. */
const grid = [100, 110, 115, 120, 127, 200, 208, 220, 230, 240];
const snapWithinVolts = 15;
/** Below this no mains exist: a UPS that reports such a voltage reports nothing. */
const minVolts = 50;
/** As many readings on line power as say what the grid really is. */
const learnedFrom = 10;
/** Further away than this, the nominal that the UPS reports belongs to another country. */
const mismatchVolts = 25;

export interface Nominal {
  readonly reportedVolts: number | null;
  readonly learned: readonly number[];
  readonly nominalVolts: number | null;
}

export interface NominalStep {
  readonly nominal: Nominal;
  /** The first readings have just replaced a nominal that they contradict. */
  readonly mismatch: { readonly beforeVolts: number; readonly afterVolts: number } | null;
}

/** Null when there is nothing new. `volts`: the input on line power, null without one. */
export function nominalAfter(
  before: Nominal,
  reported: number | null,
  volts: number | null,
): NominalStep | null {
  const isNew = reported !== null && reported >= minVolts && reported !== before.reportedVolts;
  // Another report is another UPS, or one that was set up anew: learning begins anew too.
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
  const mismatch = nominalVolts === null ? null : { beforeVolts: nominalVolts, afterVolts };
  return { nominal: { ...nominal, nominalVolts: afterVolts }, mismatch };
}

/** The nearest nominal of a grid within 15 V, the lower one of two; else the voltage as it is. */
function snapped(volts: number): number {
  const nearest = grid.reduce((best, candidate) =>
    Math.abs(candidate - volts) < Math.abs(best - volts) ? candidate : best,
  );
  return Math.abs(nearest - volts) <= snapWithinVolts ? nearest : volts;
}

/** Of an even number of values: the middle of the two in the middle. */
function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.slice(sorted.length / 2 - 1, sorted.length / 2 + 1);
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}
