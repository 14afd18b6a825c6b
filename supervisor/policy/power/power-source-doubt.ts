// Whether charge or input voltage contradict OL: some devices and drivers show line power while the load runs from the battery.
// It is reported; it counts as an outage only where the UPS has `trust = "charge"`.
import { formatNumber } from '../../../shared/domain/base/format.js';
import { noDoubt } from '../../../shared/domain/outage/outage-snapshot.js';
import type { ChargeAt } from './anomaly.js';
import type { AcceptedReading } from './readings.js';

/** A fall of this many points ... */
const fallPoints = 5;
/** ... within this time on line power is a discharge. */
const windowMs = 10 * 60_000;
/** Input voltage below this share of nominal ... */
const lowShare = 0.1;
/** ... for this long is no mains. */
const lowForMs = 60_000;
/** A UPS that shows less than this as its input on line power does not measure it. */
const plausibleVolts = 50;
/** Highs are kept this far apart: at most sixty. */
const spacingMs = 10_000;
/** In a longer gap an outage may have come and gone, and the charge with it. */
const shortestGapMs = 10_000;

export interface Doubt {
  /** The charges of the window from which a fall is measured: each higher than all after it. */
  readonly highs: readonly ChargeAt[];
  /** When the last reading on line power was asked for; null after any other. */
  readonly lastMs: number | null;
  /** A plausible input voltage was seen on line power. */
  readonly hasVoltage: boolean;
  readonly lowVoltageSinceMs: number | null;
  /** Good readings in a row that show, or no longer show, a contradiction; counted up to `confirmations`. */
  readonly shown: number;
  readonly gone: number;
  /** Since when OL is contradicted, and by what; null and "" while it is not. */
  readonly sinceMs: number | null;
  readonly why: string;
  /** It counts as an outage. */
  readonly acts: boolean;
}

export interface DoubtSettings {
  readonly confirmations: number;
  readonly checkIntervalMs: number;
  readonly trustsCharge: boolean;
}

/** Times are those at which answers were asked for: they may be handled late. `inputVolts`: of the highest phase. `isExplained`: a battery test, or an outage that has just ended, explains a charge that falls with OL. */
export function doubtAfter(
  before: Doubt,
  { reading, source, askedMs, monotonicMs: nowMs }: AcceptedReading,
  inputVolts: number | null,
  nominalVolts: number | null,
  isExplained: boolean,
  { confirmations, checkIntervalMs, trustsCharge }: DoubtSettings,
): Doubt {
  const { hasVoltage } = before;
  if (source === 'battery' || isExplained) return hasVoltage ? { ...noDoubt, hasVoltage } : noDoubt;
  if (source !== 'line') return before;
  const gapMs = Math.max(3 * checkIntervalMs, shortestGapMs);
  const isGap = before.lastMs !== null && askedMs - before.lastMs > gapMs;
  const highs = highsAfter(isGap ? [] : before.highs, reading.chargePercent, askedMs);
  const voltage = voltageAfter(before, inputVolts, nominalVolts, nowMs);
  const why =
    chargeWhy(highs, reading.chargePercent) ?? voltageWhy(voltage.lowVoltageSinceMs, inputVolts, askedMs);
  const isUnknown = why === null && reading.chargePercent === null && inputVolts === null;
  const seen = { ...before, ...voltage, highs, lastMs: askedMs };
  if (isUnknown) return seen;
  const shown = why === null ? 0 : Math.min(before.shown + 1, confirmations);
  const gone = why === null ? Math.min(before.gone + 1, confirmations) : 0;
  const isHeld = before.sinceMs === null ? shown >= confirmations : gone < confirmations;
  const sinceMs = isHeld ? (before.sinceMs ?? nowMs) : null;
  return {
    ...seen,
    shown,
    gone,
    sinceMs,
    why: isHeld ? (why ?? before.why) : '',
    acts: isHeld && trustsCharge,
  };
}

/** Whether a snapshot of one serves for the other. */
export function sameDoubt(a: Doubt, b: Doubt): boolean {
  return a.sinceMs === b.sinceMs && a.acts === b.acts && a.hasVoltage === b.hasVoltage;
}

function highsAfter(before: readonly ChargeAt[], percent: number | null, atMs: number): readonly ChargeAt[] {
  const recent = before.filter((sample) => atMs - sample.atMs <= windowMs);
  if (percent === null) return recent;
  const higher = recent.filter((sample) => sample.percent > percent);
  const last = higher.at(-1);
  // One that falls steadily is kept every ten seconds only: the first of them is the highest.
  return last !== undefined && atMs - last.atMs < spacingMs ? higher : [...higher, { atMs, percent }];
}

function chargeWhy(highs: readonly ChargeAt[], percent: number | null): string | null {
  const [highest] = highs;
  if (highest === undefined || percent === null || highest.percent - percent < fallPoints) return null;
  return `the charge falls on line power, from ${formatNumber(highest.percent)} % to ${formatNumber(percent)} % within 10 min`;
}

function voltageAfter(
  { hasVoltage, lowVoltageSinceMs }: Doubt,
  volts: number | null,
  nominalVolts: number | null,
  nowMs: number,
): Pick<Doubt, 'hasVoltage' | 'lowVoltageSinceMs'> {
  if (volts === null) return { hasVoltage, lowVoltageSinceMs };
  const isLow = hasVoltage && nominalVolts !== null && volts < nominalVolts * lowShare;
  return {
    hasVoltage: hasVoltage || volts >= plausibleVolts,
    lowVoltageSinceMs: isLow ? (lowVoltageSinceMs ?? nowMs) : null,
  };
}

function voltageWhy(sinceMs: number | null, volts: number | null, askedMs: number): string | null {
  if (sinceMs === null || volts === null || askedMs - sinceMs < lowForMs) return null;
  return `the input voltage is ${formatNumber(volts)} V on line power`;
}
