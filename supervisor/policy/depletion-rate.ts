// The depletion rate: the charge of readings on battery within a window.

export interface ChargeSample {
  readonly atMs: number;
  readonly percent: number;
}

export interface Depletion {
  /** Readings on battery of this outage within the window, oldest first. */
  readonly samples: readonly ChargeSample[];
  /** Percent per minute, 2 decimals, negative while charging; null with too few readings. */
  readonly rate: number | null;
}

export const noDepletion: Depletion = { samples: [], rate: null };

/**
 * From this many readings on, the rounding of the charge no longer dominates the rate
 * (specification/policy.md#depletion).
 */
const enoughReadings = 30;

/** The readings a rate needs: fewer if the window holds fewer, at least two. */
export function readingsNeeded(windowMs: number, checkIntervalMs: number): number {
  return Math.min(enoughReadings, Math.max(2, Math.floor(windowMs / checkIntervalMs)));
}

/**
 * `settledMs`: the end of the stabilization delay. A charge that is computed from the voltage falls at the transfer: what is from
 * before counts only until there are enough readings.
 */
export function depletionAfterCharge(
  depletion: Depletion,
  sample: ChargeSample,
  windowMs: number,
  needed: number,
  settledMs: number,
): Depletion {
  const earliest = sample.atMs - windowMs;
  const first = depletion.samples.findIndex(({ atMs }) => atMs >= earliest);
  const recent = first === -1 ? [] : depletion.samples.slice(first);
  recent.push(sample);
  const settled = (recent[0]?.atMs ?? 0) < settledMs ? recent.filter(({ atMs }) => atMs >= settledMs) : [];
  const samples = settled.length >= needed ? settled : recent;
  return { samples, rate: rateOf(samples, sample, needed) };
}

function rateOf(samples: readonly ChargeSample[], newest: ChargeSample, needed: number): number | null {
  const oldest = samples[0];
  if (oldest === undefined || samples.length < needed || newest.atMs <= oldest.atMs) return null;
  const perMinute = ((oldest.percent - newest.percent) / (newest.atMs - oldest.atMs)) * 60_000;
  return Math.round(perMinute * 100) / 100;
}
