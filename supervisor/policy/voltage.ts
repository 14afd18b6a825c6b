// The quality of the mains: what the nominal voltage is, and whether the input is within its band. It is reported, and
// counts for the health of redundancy members; it is never a trigger.
import type { VoltageState } from '../../shared/domain/states.js';
import { nominalAfter } from './nominal.js';

/** Beyond this part of nominal a deviation is reported to people at once. */
const severe = 0.15;

const bands = { tight: 0.05, normal: 0.1, loose: 0.15 } as const;
export type Sensitivity = keyof typeof bands;

export type Side = 'LOW' | 'HIGH';

export interface Voltage {
  /** What the UPS says, as it said it. */
  readonly reportedVolts: number | null;
  /** The first plausible readings on line power, until there are enough. */
  readonly learned: readonly number[];
  /** Snapped; null until known. */
  readonly nominalVolts: number | null;
  readonly state: VoltageState;
  readonly excursion: Excursion | null;
}

/** A time outside the band. It lasts until the voltage is seen inside again. */
export interface Excursion {
  readonly side: Side;
  readonly sinceMs: number;
  readonly told: boolean;
}

export const noVoltage: Voltage = {
  reportedVolts: null,
  learned: [],
  nominalVolts: null,
  state: 'UNKNOWN',
  excursion: null,
};

/** What is to be said; the texts are told-quality.ts's. */
export type VoltageNews =
  | { readonly kind: 'mismatch'; readonly beforeVolts: number; readonly afterVolts: number }
  | { readonly kind: 'left'; readonly side: Side }
  | { readonly kind: 'tell'; readonly side: Side; readonly severe: boolean }
  | { readonly kind: 'suppressed'; readonly side: Side; readonly lastedMs: number }
  | { readonly kind: 'normalized'; readonly lastedMs: number };

export interface Mains {
  readonly onLine: boolean;
  readonly inputVolts: number | null;
  /** input.voltage.nominal */
  readonly nominalVolts: number | null;
}

/** Nominal -/+ the sensitivity's part of it, one decimal; outside means strictly below or above. */
export function bandOf(nominalVolts: number, sensitivity: Sensitivity): { low: number; high: number } {
  const part = nominalVolts * bands[sensitivity];
  return { low: oneDecimal(nominalVolts - part), high: oneDecimal(nominalVolts + part) };
}

/** After a good reading. */
export function voltageAfter(
  before: Voltage,
  mains: Mains,
  sensitivity: Sensitivity,
  hysteresisMs: number,
  nowMs: number,
): { readonly voltage: Voltage; readonly news: readonly VoltageNews[] } {
  const news: VoltageNews[] = [];
  const known = withNominal(before, mains, news);
  const volts = mains.onLine ? mains.inputVolts : null;
  if (volts === null || known.nominalVolts === null) {
    return { voltage: known.state === 'UNKNOWN' ? known : { ...known, state: 'UNKNOWN' }, news };
  }
  const { low, high } = bandOf(known.nominalVolts, sensitivity);
  const state = volts < low ? 'LOW' : volts > high ? 'HIGH' : 'NORMAL';
  const isFar = Math.abs(volts - known.nominalVolts) > known.nominalVolts * severe;
  const excursion =
    state === 'NORMAL'
      ? ended(known.excursion, nowMs, news)
      : outside(known, state, isFar, hysteresisMs, nowMs, news);
  const unchanged = state === known.state && excursion === known.excursion;
  return { voltage: unchanged ? known : { ...known, state, excursion }, news };
}

function withNominal(before: Voltage, mains: Mains, news: VoltageNews[]): Voltage {
  const step = nominalAfter(before, mains.nominalVolts, mains.onLine ? mains.inputVolts : null);
  if (step === null) return before;
  const { nominal, mismatch } = step;
  if (mismatch !== null) news.push({ kind: 'mismatch', ...mismatch });
  // Outside of another band than before is another excursion.
  const excursion = nominal.nominalVolts === before.nominalVolts ? before.excursion : null;
  return { ...nominal, state: before.state, excursion };
}

function ended(excursion: Excursion | null, nowMs: number, news: VoltageNews[]): null {
  if (excursion === null) return null;
  const lastedMs = nowMs - excursion.sinceMs;
  if (excursion.told) news.push({ kind: 'normalized', lastedMs });
  else news.push({ kind: 'suppressed', side: excursion.side, lastedMs });
  return null;
}

function outside(
  before: Voltage,
  side: Side,
  isFar: boolean,
  hysteresisMs: number,
  nowMs: number,
  news: VoltageNews[],
): Excursion {
  let { excursion } = before;
  if (excursion?.side !== side) {
    excursion = { side, sinceMs: nowMs, told: false };
    news.push({ kind: 'left', side });
  } else if (before.state === 'UNKNOWN' && !excursion.told) {
    // Out of sight in between (an outage): the wait begins anew, the excursion is the same.
    excursion = { ...excursion, sinceMs: nowMs };
  }
  if (excursion.told || (!isFar && nowMs - excursion.sinceMs < hysteresisMs)) return excursion;
  news.push({ kind: 'tell', side, severe: isFar });
  return { ...excursion, told: true };
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}
