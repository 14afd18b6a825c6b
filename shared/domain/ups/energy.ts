// The power that a reading shows, for the energy counted from it (specification/storage.md#energy). Pure.
import type { Reading, Variables } from './reading.js';
import { finite, integerFrom, orNull } from '../base/units.js';
import * as t from 'io-ts';

/** Watts per volt-ampere of a UPS that reports only ups.power.nominal: between old (0.6) and new models (0.9). */
const assumedPowerFactor = 0.7;

/**
 * How the watts are known. 0: measured by the UPS; 1: the load times the rating in watts; 2: the load times the rating in
 * volt-amperes and the assumed power factor. Of a sum the highest counts.
 */
const Estimate = integerFrom(0, 2);

export const Power = t.readonly(t.type({ watts: finite, estimated: Estimate }), 'Power');
export type Power = t.TypeOf<typeof Power>;

/** Calendar windows in local time, kWh. The cost keys are present only with a price and kWh. */
export const Energy = t.intersection(
  [
    t.type({
      /** Null: not counted for 5 min. */
      todayKwh: orNull(finite),
      monthKwh: orNull(finite),
      yearKwh: orNull(finite),
      /** Since the counting began; it never falls. */
      totalKwh: finite,
      currency: t.string,
      /** Part of it was computed from the load and the rating. */
      estimated: t.boolean,
      /** The power factor that a part of it assumes; null: none. */
      powerFactor: orNull(finite),
      /** Part of this year, since the counting began, was not counted. */
      partial: t.boolean,
    }),
    t.partial({ todayCost: finite, monthCost: finite, yearCost: finite }),
  ],
  'Energy',
);
export type Energy = t.TypeOf<typeof Energy>;

/** What an estimate is to a reader. */
export function flagsOfEstimate(estimate: number): { estimated: boolean; powerFactor: number | null } {
  return { estimated: estimate > 0, powerFactor: estimate === 2 ? assumedPowerFactor : null };
}

/** More than any UPS; the limit of `energy.nominal_power`. */
const maxWatts = 10_000_000;

/** `ratedWatts`: the configured rating, 0 while not configured. Null where the power is unknown. */
export function powerOf(reading: Reading, variables: Variables, ratedWatts: number): Power | null {
  const { realPowerWatts, loadPercent } = reading;
  // A UPS that reports 0 W with a load does not measure its power.
  if (realPowerWatts !== null && (realPowerWatts !== 0 || (loadPercent ?? 0) === 0))
    return possible(realPowerWatts, 0);
  if (loadPercent === null) return null;
  const rating = ratedWatts || positive(variables['ups.realpower.nominal']);
  if (rating > 0) return possible((loadPercent / 100) * rating, 1);
  const apparent = positive(variables['ups.power.nominal']);
  return apparent > 0 ? possible((loadPercent / 100) * apparent * assumedPowerFactor, 2) : null;
}

function possible(watts: number, estimated: number): Power | null {
  return watts >= 0 && watts <= maxWatts ? { watts, estimated } : null;
}

/** 0 for text that is no positive number. */
function positive(text: string | undefined): number {
  const value = /^\s*\d+(\.\d+)?\s*$/.test(text ?? '') ? Number(text) : 0;
  return value <= maxWatts ? value : 0;
}
