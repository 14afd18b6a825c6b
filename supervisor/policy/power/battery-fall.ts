// Whether charge or runtime show a battery that gives, for a UPS whose status does not say so. A charge that drifts over hours is
// no outage, nor is a runtime that a higher load explains.

/** What a battery loses in an outage and not at rest. */
const fallPoints = 3;
const fallShare = 0.05;
/** A fall is measured from the present stretch of this length and the one before. */
const stretchMs = 30 * 60_000;
/** A load in whole percent may be half a point above or below. */
const halfGrain = 0.5;
const steepestExponent = 2;

/** The values that are not in doubt; null where the reading lacks one. */
export interface BatteryValues {
  readonly charge: number | null;
  readonly runtime: number | null;
  readonly load: number | null;
}

export interface High {
  readonly value: number;
  /** In whole percent; null for the charge. */
  readonly load: number | null;
  /** The first reading below it; null while it stands. */
  readonly fellMs: number | null;
}

/** Of each stretch the highest value; of the runtime the highest of each load from which no higher load had as much. */
export interface Highs {
  readonly before: readonly High[];
  readonly now: readonly High[];
}

const noHighs: Highs = { before: [], now: [] };

export interface BatteryFall {
  /** The start of the present stretch. */
  readonly stretchMs: number;
  readonly charge: Highs;
  readonly runtime: Highs;
  /** Readings in a row that show a fall of the charge; since when each shows one of the runtime. */
  readonly chargeReadings: number;
  readonly runtimeSinceMs: number | null;
}

export const noFall = (nowMs: number): BatteryFall => ({
  stretchMs: nowMs,
  charge: noHighs,
  runtime: noHighs,
  chargeReadings: 0,
  runtimeSinceMs: null,
});

export function fallAfter(before: BatteryFall, values: BatteryValues, nowMs: number): BatteryFall {
  const isNewStretch = nowMs - before.stretchMs >= stretchMs;
  const rolled = ({ now, before: old }: Highs): Highs =>
    isNewStretch ? { before: now, now: [] } : { before: old, now };
  const charge = highsAfter(rolled(before.charge), values.charge, null, nowMs);
  const runtime = highsAfter(rolled(before.runtime), values.runtime, values.load, nowMs);
  const hasCharge = chargeFellMs({ charge }, values) !== null;
  const hasRuntime = runtimeFellMs({ runtime }, values) !== null;
  const chargeReadings = hasCharge ? before.chargeReadings + 1 : 0;
  const runtimeSinceMs = hasRuntime ? (before.runtimeSinceMs ?? nowMs) : null;
  return {
    stretchMs: isNewStretch ? nowMs : before.stretchMs,
    charge,
    runtime,
    chargeReadings: values.charge === null ? before.chargeReadings : chargeReadings,
    runtimeSinceMs: values.runtime === null ? before.runtimeSinceMs : runtimeSinceMs,
  };
}

/** The first reading below the high from which charge or runtime have fallen; null where neither has. */
export function fellMs(fall: BatteryFall, values: BatteryValues): number | null {
  return earlier(chargeFellMs(fall, values), runtimeFellMs(fall, values));
}

/**
 * The same, once it is confirmed. Drivers read load and runtime at different times: a fall of the runtime counts when it was shown for
 * longer than they hold values.
 */
export function confirmedFellMs(
  fall: BatteryFall,
  values: BatteryValues,
  confirmations: number,
  holdMs: number,
  nowMs: number,
): number | null {
  const { chargeReadings, runtimeSinceMs } = fall;
  return earlier(
    chargeReadings >= confirmations ? chargeFellMs(fall, values) : null,
    runtimeSinceMs !== null && nowMs - runtimeSinceMs > holdMs ? runtimeFellMs(fall, values) : null,
  );
}

function chargeFellMs({ charge }: Pick<BatteryFall, 'charge'>, values: BatteryValues): number | null {
  const { charge: percent } = values;
  return percent === null ? null : firstFellMs(charge, ({ value }) => value - percent >= fallPoints);
}

function runtimeFellMs({ runtime }: Pick<BatteryFall, 'runtime'>, values: BatteryValues): number | null {
  const { runtime: seconds, load } = values;
  if (seconds === null) return null;
  return firstFellMs(runtime, (high) => {
    const most = high.value * (1 - fallShare);
    return seconds <= most && seconds * loadFactor(high.load, load) <= most;
  });
}

/** By how much a load that has risen shortens the runtime at most. */
function loadFactor(from: number | null, to: number | null): number {
  if (from === null || to === null) return 1;
  const rise = (to + halfGrain) / Math.max(from - halfGrain, halfGrain);
  return rise ** steepestExponent;
}

function firstFellMs({ before, now }: Highs, hasFallen: (high: High) => boolean): number | null {
  return [...before, ...now].reduce<number | null>(
    (first, high) => (hasFallen(high) ? earlier(first, high.fellMs) : first),
    null,
  );
}

function highsAfter({ before, now }: Highs, value: number | null, load: number | null, nowMs: number): Highs {
  if (value === null) return { before, now };
  const read: High = { value, load: load === null ? null : Math.round(load), fellMs: null };
  const kept = (high: High): readonly High[] => {
    if (value < high.value) return [high.fellMs === null ? { ...high, fellMs: nowMs } : high];
    return isAtLeast(read.load, high.load) ? [] : [{ ...high, fellMs: null }];
  };
  const highs = now.flatMap(kept);
  const isLess = highs.some((high) => high.value >= value && isAtLeast(high.load, read.load));
  return { before: before.flatMap(kept), now: isLess ? highs : [...highs, read] };
}

const isAtLeast = (load: number | null, other: number | null): boolean =>
  load === null || other === null || load >= other;

const earlier = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

/** The lowest values of an outage that only they show. */
export interface Lows {
  readonly charge: number | null;
  readonly runtime: number | null;
  /** When the last of them was reached. */
  readonly reachedMs: number;
}

/** A runtime that moves by less than this is no new low: it follows the load. */
const lowShare = 0.01;

export const lowsAt = ({ charge, runtime }: BatteryValues, reachedMs: number): Lows => ({
  charge,
  runtime,
  reachedMs,
});

export function lowsAfter(lows: Lows, { charge, runtime }: BatteryValues, nowMs: number): Lows {
  const isLowerCharge = charge !== null && (lows.charge === null || charge < lows.charge);
  const isLowerRuntime =
    runtime !== null && (lows.runtime === null || runtime <= lows.runtime * (1 - lowShare));
  if (!isLowerCharge && !isLowerRuntime) return lows;
  return {
    charge: isLowerCharge ? charge : lows.charge,
    runtime: isLowerRuntime ? runtime : lows.runtime,
    reachedMs: nowMs,
  };
}
