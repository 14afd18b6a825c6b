// How long a full battery lasts at a load, from the discharges of this battery, with the error. Pure.
import type { RuntimeEstimate } from './health.js';
import { runtimeFactor, usualExponent } from './load.js';
import { median, ninetyPercent, trendOf } from './trend.js';
import { minFall } from './capacity.js';

export interface DischargeSummary {
  /** Unix seconds. */
  readonly at: number;
  readonly seconds: number;
  /** Points of charge. */
  readonly fall: number;
  readonly load: number | null;
  /** Null: it was compared with none. */
  readonly capacity: number | null;
}

/** The newest discharges that are used. */
const used = 10;
/** What the charge that a device reports is wrong by, also on average. */
const gaugeError = 0.05;
/** A device's charge falls faster or slower towards the end: for a discharge of 10 points the rest is a guess. */
const restError = 0.25;
/** Between loads in the ratio e : 1 with the usual exponent; less where the exponent could be fitted. */
const loadError = 0.25;
const fittedLoadError = 0.1;
/** A fit needs loads that differ by this factor. */
const fitSpan = 1.3;
const fitBounds = [0.8, 1.6] as const;

/** How long a battery still lasts, with the error of nine cases in ten. */
export interface RemainingRuntime {
  readonly seconds: number;
  readonly errorSeconds: number;
}

/** From a full battery to one at `charge` percent with `load` percent; without a load that of the estimate. */
export function remainingRuntime(
  { fullSeconds, errorSeconds, loadPercent }: RuntimeEstimate,
  charge: number,
  load: number | null,
): RemainingRuntime {
  const atLoad = load ?? loadPercent;
  const seconds = fullSeconds * runtimeFactor(loadPercent, atLoad) * (charge / 100);
  const distance = Math.log(Math.max(loadPercent, 1) / Math.max(atLoad, 1));
  const relative = Math.hypot(errorSeconds / Math.max(1, fullSeconds), ninetyPercent * loadError * distance);
  return { seconds: Math.round(seconds), errorSeconds: Math.round(Math.min(seconds, seconds * relative)) };
}

/** `discharges` of one battery, in order of time; `capacity`: the present one. Null without a discharge of 10 points. */
export function estimateRuntime(
  discharges: readonly DischargeSummary[],
  capacity: number,
  load: number,
): RuntimeEstimate | null {
  const full = discharges
    .slice(-used)
    .flatMap(({ fall, seconds, load: itsLoad, capacity: its }) =>
      fall < minFall || itsLoad === null || seconds <= 0
        ? []
        : [{ fall, load: itsLoad, seconds: ((seconds * 100) / fall) * (capacity / (its ?? capacity)) }],
    );
  if (full.length === 0) return null;
  const fitted = fittedExponent(full);
  const found = full.map((one) => {
    const distance = Math.log(Math.max(one.load, 1) / Math.max(load, 1));
    const errors = [
      1 / one.fall,
      gaugeError,
      restError * (1 - Math.min(one.fall, 100) / 100),
      distance * (fitted === null ? loadError : fittedLoadError),
    ];
    return {
      log: Math.log(one.seconds * runtimeFactor(one.load, load, fitted ?? usualExponent)),
      variance: errors.reduce((sum, error) => sum + error * error, 0),
    };
  });
  const weight = found.reduce((sum, { variance }) => sum + 1 / variance, 0);
  const log = found.reduce((sum, one) => sum + one.log / one.variance, 0) / weight;
  const spread = found.reduce((sum, one) => sum + (one.log - log) ** 2 / one.variance, 0) / weight;
  // The errors of one battery are alike: the best discharge is as good as it gets.
  const least = Math.min(...found.map(({ variance }) => variance));
  const fullSeconds = Math.exp(log);
  return {
    fullSeconds: Math.round(fullSeconds),
    errorSeconds: Math.round(fullSeconds * ninetyPercent * Math.sqrt(least + spread / found.length)),
    loadPercent: Math.round(load * 10) / 10,
    discharges: full.length,
  };
}

function fittedExponent(full: readonly { readonly load: number; readonly seconds: number }[]): number | null {
  const loads = full.map(({ load }) => Math.max(load, 1));
  if (Math.max(...loads) / Math.min(...loads) < fitSpan) return null;
  const trend = trendOf(
    full.map(({ load, seconds }) => ({ x: Math.log(Math.max(load, 1)), y: Math.log(seconds) })),
  );
  if (trend === null) return null;
  return median([fitBounds[0], fitBounds[1], -trend.slope]);
}
