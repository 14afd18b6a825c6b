// How fast the battery empties: the charge of the readings on battery within a window, and the rate over it.

export interface ChargeSample {
  readonly atMs: number;
  readonly percent: number;
}

export interface Depletion {
  /** Readings on battery of this outage within the window, oldest first. */
  readonly samples: readonly ChargeSample[];
  /** Percent per minute, 2 decimals, negative while charging; null with too few readings to say. */
  readonly rate: number | null;
}

export const noDepletion: Depletion = { samples: [], rate: null };

/** From this many readings on, one digit of the charge no longer dominates the rate (specification/policy.md#depletion). */
const enoughReadings = 30;

/** The readings a rate needs: fewer where the window holds fewer, two at least. */
export function readingsNeeded(windowMs: number, checkIntervalMs: number): number {
  return Math.min(enoughReadings, Math.max(2, Math.floor(windowMs / checkIntervalMs)));
}

export function depletionAfterCharge(
  depletion: Depletion,
  sample: ChargeSample,
  windowMs: number,
  needed: number,
): Depletion {
  const earliest = sample.atMs - windowMs;
  const first = depletion.samples.findIndex(({ atMs }) => atMs >= earliest);
  const samples = first === -1 ? [] : depletion.samples.slice(first);
  samples.push(sample);
  return { samples, rate: rateOf(samples, sample, needed) };
}

function rateOf(samples: readonly ChargeSample[], newest: ChargeSample, needed: number): number | null {
  const oldest = samples[0];
  if (oldest === undefined || samples.length < needed || newest.atMs <= oldest.atMs) return null;
  const perMinute = ((oldest.percent - newest.percent) / (newest.atMs - oldest.atMs)) * 60_000;
  return Math.round(perMinute * 100) / 100;
}
