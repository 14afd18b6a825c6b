// The power that a reading shows, for the energy counted from it (specification/storage.md#energy). Pure.
import type { Reading, Variables } from './reading.js';
import { finite } from './units.js';
import * as t from 'io-ts';

/** Watts per volt-ampere of a UPS that reports only ups.power.nominal: between old (0.6) and new models (0.9). */
const assumedPowerFactor = 0.7;

/** `estimated`: computed from the load and the rating, not measured by the UPS. */
export const Power = t.readonly(t.type({ watts: finite, estimated: t.boolean }), 'Power');
export type Power = t.TypeOf<typeof Power>;

/** Calendar windows in local time, kWh. The cost keys are present only with a price. */
export const Energy = t.intersection(
  [
    t.type({
      todayKwh: finite,
      monthKwh: finite,
      yearKwh: finite,
      /** Since the counting began; it never falls. */
      totalKwh: finite,
      currency: t.string,
      /** Part of it was computed from the load and the rating. */
      estimated: t.boolean,
      /** Part of this year, since the counting began, was not counted. */
      partial: t.boolean,
    }),
    t.partial({ todayCost: finite, monthCost: finite, yearCost: finite }),
  ],
  'Energy',
);
export type Energy = t.TypeOf<typeof Energy>;

/** More than any UPS; the limit of `energy.nominal_power`. */
const maxWatts = 10_000_000;

/** `ratedWatts`: the configured rating, 0 while not configured. Null where the power is unknown. */
export function powerOf(reading: Reading, variables: Variables, ratedWatts: number): Power | null {
  const { realPowerWatts, loadPercent } = reading;
  if (realPowerWatts !== null) return possible(realPowerWatts, false);
  if (loadPercent === null) return null;
  const rating =
    ratedWatts ||
    positive(variables['ups.realpower.nominal']) ||
    positive(variables['ups.power.nominal']) * assumedPowerFactor;
  return rating > 0 ? possible((loadPercent / 100) * rating, true) : null;
}

function possible(watts: number, estimated: boolean): Power | null {
  return watts >= 0 && watts <= maxWatts ? { watts, estimated } : null;
}

/** 0 for text that is no positive number. */
function positive(text: string | undefined): number {
  const value = /^\s*\d+(\.\d+)?\s*$/.test(text ?? '') ? Number(text) : 0;
  return value <= maxWatts ? value : 0;
}
