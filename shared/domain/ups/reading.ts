// The readings of one poll with their units. A missing or implausible value is null, never zero.
import * as t from 'io-ts';
import { finite, orNull, textUpTo } from '../base/units.js';

/** Quantities that a UPS reports, within the limits of specification/policy.md#values-outside-physics. */
export const Reading = t.readonly(
  t.type({
    /** Words of ups.status in their order, each once. */
    status: t.readonlyArray(textUpTo(64)),
    chargePercent: orNull(finite),
    runtimeSeconds: orNull(finite),
    loadPercent: orNull(finite),
    inputVolts: orNull(finite),
    outputVolts: orNull(finite),
    batteryVolts: orNull(finite),
    inputHertz: orNull(finite),
    outputHertz: orNull(finite),
    temperatureCelsius: orNull(finite),
    /** input.voltage.nominal. */
    nominalVolts: orNull(finite),
    /** ups.realpower. */
    realPowerWatts: orNull(finite),
  }),
  'Reading',
);
export type Reading = t.TypeOf<typeof Reading>;

/** Every NUT variable of one poll, verbatim, by NUT name (`battery.charge`). */
export const Variables = t.readonly(t.record(textUpTo(256), textUpTo(1024)), 'Variables');
export type Variables = t.TypeOf<typeof Variables>;
