// The mains voltage: its nominal value, and whether the input is within its band. It is reported and counts for member
// health; it is never a trigger.
import type { VoltageState } from '../../../shared/domain/status/states.js';
import type { MainsVoltage } from '../../../shared/domain/ups/mains-voltage.js';
import { reuseUnchanged } from '../base/comparison.js';
import { nominalAfter } from './nominal-voltage.js';

/** Beyond this share of nominal a deviation is notified immediately. */
const severe = 0.15;

const bands = { tight: 0.05, normal: 0.1, loose: 0.15 } as const;
export type Sensitivity = keyof typeof bands;

export type Side = 'LOW' | 'HIGH';

export interface Voltage {
  /** The nominal voltage as the UPS reports it. */
  readonly reportedVolts: number | null;
  /** The first plausible readings on line power, up to `learnedFrom`. */
  readonly learned: readonly number[];
  /** Snapped; null until known. */
  readonly nominalVolts: number | null;
  readonly state: VoltageState;
  readonly excursion: Excursion | null;
  /** What was shown without line power, until another value or the hold shows that it was read anew; null: nothing is left of it. */
  readonly offLine: OffLine | null;
}

export interface OffLine {
  readonly highestVolts: number | null;
  readonly lowestVolts: number | null;
  /** Since when it has been shown with line power; null: not yet. */
  readonly lineSinceMs: number | null;
}

/** A period outside the band, until a reading inside it. */
export interface Excursion {
  readonly side: Side;
  readonly sinceMs: number;
  readonly reported: boolean;
}

export const noVoltage: Voltage = {
  reportedVolts: null,
  learned: [],
  nominalVolts: null,
  state: 'UNKNOWN',
  excursion: null,
  offLine: null,
};

/** Changes to report; the words are in view/quality-words.ts. */
export type VoltageChange =
  | { readonly kind: 'mismatch'; readonly beforeVolts: number; readonly afterVolts: number }
  | { readonly kind: 'left'; readonly side: Side }
  | { readonly kind: 'report'; readonly side: Side; readonly severe: boolean }
  | { readonly kind: 'suppressed'; readonly side: Side; readonly lastedMs: number }
  | { readonly kind: 'normalized'; readonly lastedMs: number };

export interface Mains extends Pick<MainsVoltage, 'highestVolts' | 'lowestVolts' | 'nominalVolts'> {
  readonly onLine: boolean;
}

/** Nominal -/+ the sensitivity's share, one decimal; outside means strictly below or above. */
export function bandOf(nominalVolts: number, sensitivity: Sensitivity): { low: number; high: number } {
  const part = nominalVolts * bands[sensitivity];
  return { low: oneDecimal(nominalVolts - part), high: oneDecimal(nominalVolts + part) };
}

export interface VoltageSettings {
  readonly sensitivity: Sensitivity;
  readonly hysteresisMs: number;
  /** How long the driver may show a voltage that it has read once. */
  readonly holdMs: number;
}

/** After a good reading, which was asked for at `askedMs`. */
export function voltageAfter(
  before: Voltage,
  mains: Mains,
  { sensitivity, hysteresisMs, holdMs }: VoltageSettings,
  nowMs: number,
  askedMs: number,
): { readonly voltage: Voltage; readonly changes: readonly VoltageChange[] } {
  const changes: VoltageChange[] = [];
  const offLine = offLineAfter(before.offLine, mains, holdMs, nowMs, askedMs);
  const known = withNominal(reuseUnchanged(before, { ...before, offLine }), mains, changes);
  const { highestVolts: highest, lowestVolts: lowest } = mains;
  const unknown = () => ({
    voltage: reuseUnchanged<Voltage>(known, { ...known, state: 'UNKNOWN' }),
    changes,
  });
  if (!mains.onLine || highest === null || lowest === null || known.nominalVolts === null) return unknown();
  const { low, high } = bandOf(known.nominalVolts, sensitivity);
  const state = lowest < low ? 'LOW' : highest > high ? 'HIGH' : 'NORMAL';
  // That of the time on battery, as a driver shows it for 30 s after mains is back.
  if (state !== 'NORMAL' && offLine !== null) return unknown();
  const isFar =
    Math.abs((state === 'LOW' ? lowest : highest) - known.nominalVolts) > known.nominalVolts * severe;
  const excursion =
    state === 'NORMAL'
      ? ended(known.excursion, nowMs, changes)
      : outside(known, state, isFar, hysteresisMs, nowMs, changes);
  return { voltage: reuseUnchanged(known, { ...known, state, excursion }), changes };
}

function offLineAfter(
  before: OffLine | null,
  mains: Mains,
  holdMs: number,
  nowMs: number,
  askedMs: number,
): OffLine | null {
  const { onLine, highestVolts, lowestVolts } = mains;
  if (onLine && before === null) return null;
  const lineSinceMs = onLine ? (before?.lineSinceMs ?? nowMs) : null;
  const shown = { highestVolts, lowestVolts, lineSinceMs };
  if (before === null) return shown;
  const isSame = before.highestVolts === highestVolts && before.lowestVolts === lowestVolts;
  const isAnew = lineSinceMs !== null && (!isSame || askedMs - lineSinceMs > holdMs);
  return isAnew ? null : reuseUnchanged(before, shown);
}

function withNominal(before: Voltage, mains: Mains, changes: VoltageChange[]): Voltage {
  const step = nominalAfter(
    before,
    mains.nominalVolts,
    mains.onLine && before.offLine === null ? mains.highestVolts : null,
  );
  if (step === null) return before;
  const { nominal, mismatch } = step;
  if (mismatch !== null) changes.push({ kind: 'mismatch', ...mismatch });
  // Leaving another band starts another excursion.
  const excursion = nominal.nominalVolts === before.nominalVolts ? before.excursion : null;
  return { ...before, ...nominal, excursion };
}

function ended(excursion: Excursion | null, nowMs: number, changes: VoltageChange[]): null {
  if (excursion === null) return null;
  const lastedMs = nowMs - excursion.sinceMs;
  if (excursion.reported) changes.push({ kind: 'normalized', lastedMs });
  else changes.push({ kind: 'suppressed', side: excursion.side, lastedMs });
  return null;
}

function outside(
  before: Voltage,
  side: Side,
  isFar: boolean,
  hysteresisMs: number,
  nowMs: number,
  changes: VoltageChange[],
): Excursion {
  let { excursion } = before;
  if (excursion?.side !== side) {
    excursion = { side, sinceMs: nowMs, reported: false };
    changes.push({ kind: 'left', side });
  } else if (before.state === 'UNKNOWN' && !excursion.reported) {
    // After an outage, during which the voltage was unknown: the hysteresis starts again, the excursion stays.
    excursion = { ...excursion, sinceMs: nowMs };
  }
  if (excursion.reported || (!isFar && nowMs - excursion.sinceMs < hysteresisMs)) return excursion;
  changes.push({ kind: 'report', side, severe: isFar });
  return { ...excursion, reported: true };
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}
