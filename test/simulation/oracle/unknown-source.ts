// "Source unknown" of specification/policy.md, by all readings of two half hours.

interface Shown {
  readonly atMs: number;
  readonly charge: number | null;
  readonly runtime: number | null;
  readonly load: number | null;
}

/** Every reading since the first had OL and OB. */
export interface Unknown {
  readonly sinceMs: number;
  /** By half hour, each from the first reading after the end of the one before. */
  readonly halfHours: readonly (readonly Shown[])[];
  readonly chargeReadings: number;
  readonly runtimeFellMs: number | null;
}

/** The lowest values of an outage of a UPS that shows OL and OB on mains too. */
export interface Lowest {
  readonly charge: number;
  readonly runtime: number;
  readonly atMs: number;
}

const halfHourMs = 1_800_000;

export function unknownAfter(before: Unknown | null, shown: Shown): Unknown {
  const halfHours = before?.halfHours ?? [];
  const present = halfHours.at(-1);
  const isNew = present === undefined || shown.atMs - (present[0]?.atMs ?? 0) >= halfHourMs;
  const known = isNew ? [...halfHours.slice(-1), []] : halfHours;
  const all = [...known.slice(0, -1), [...(known.at(-1) ?? []), shown]];
  const chargeFell = chargeFellFromMs(all, shown) !== null;
  const runtimeFell = runtimeFellFromMs(all, shown) !== null;
  const countSoFar = before?.chargeReadings ?? 0;
  const fellSoFar = before?.runtimeFellMs ?? null;
  return {
    sinceMs: before?.sinceMs ?? shown.atMs,
    halfHours: all,
    chargeReadings: shown.charge === null ? countSoFar : chargeFell ? countSoFar + 1 : 0,
    runtimeFellMs: shown.runtime === null ? fellSoFar : runtimeFell ? (fellSoFar ?? shown.atMs) : null,
  };
}

/** When the fall of the last reading began; null where there is none. */
export function beganMs({ halfHours }: Unknown): number | null {
  const last = halfHours.at(-1)?.at(-1);
  if (last === undefined) return null;
  return first(chargeFellFromMs(halfHours, last), runtimeFellFromMs(halfHours, last));
}

/** The same, once the charge was shown in `confirmations` readings, or the runtime for longer than the hold. */
export function provenMs(unknown: Unknown, confirmations: number, holdMs: number): number | null {
  const { halfHours, chargeReadings, runtimeFellMs } = unknown;
  const last = halfHours.at(-1)?.at(-1);
  if (last === undefined) return null;
  const isHeld = runtimeFellMs !== null && last.atMs - runtimeFellMs > holdMs;
  return first(
    chargeReadings >= confirmations ? chargeFellFromMs(halfHours, last) : null,
    isHeld ? runtimeFellFromMs(halfHours, last) : null,
  );
}

const first = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.min(a, b));

function chargeFellFromMs(halfHours: Unknown['halfHours'], { charge }: Shown): number | null {
  if (charge === null) return null;
  return fellFromMs(halfHours, 'charge', (high) => high - charge >= 3);
}

function runtimeFellFromMs(halfHours: Unknown['halfHours'], { runtime, load }: Shown): number | null {
  if (runtime === null) return null;
  return fellFromMs(halfHours, 'runtime', (high, loadThen) => {
    const hasBoth = load !== null && loadThen !== null;
    const rise = hasBoth ? (load + 0.5) / Math.max(0.5, Math.round(loadThen) - 0.5) : 1;
    return high > 0 && Math.max(runtime, runtime * rise * rise) <= high * 0.95;
  });
}

/** The first reading of the fall from any reading of the two half hours: after the last one that was not below that. */
function fellFromMs(
  halfHours: Unknown['halfHours'],
  name: 'charge' | 'runtime',
  isFall: (high: number, load: number | null) => boolean,
): number | null {
  const all = halfHours.flat().filter((one) => one[name] !== null);
  const valueOf = (one: Shown) => one[name] ?? -1;
  const begins = all
    .filter((one) => isFall(valueOf(one), one.load))
    .map((one) => all[all.findLastIndex((other) => valueOf(other) >= valueOf(one)) + 1]?.atMs ?? Infinity);
  return begins.length === 0 ? null : Math.min(...begins);
}

/** "A lower charge, or a runtime lower by a hundredth". */
export function lowestAfter(before: Lowest | null, { atMs, charge, runtime }: Shown): Lowest {
  const so = before ?? { charge: Infinity, runtime: Infinity, atMs };
  const isLowerCharge = charge !== null && charge < so.charge;
  const isLowerRuntime = runtime !== null && (so.runtime === Infinity || runtime <= so.runtime * 0.99);
  return {
    charge: isLowerCharge ? charge : so.charge,
    runtime: isLowerRuntime ? runtime : so.runtime,
    atMs: isLowerCharge || isLowerRuntime ? atMs : so.atMs,
  };
}
