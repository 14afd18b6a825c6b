// Codecs of the battery health of a UPS and its history (specification/api-resources.md#battery-health).
import * as t from 'io-ts';
import { BatteryHealth } from '../domain/ups/battery/health.js';
import { OutageCause } from '../domain/outage/outage.js';
import { finite, orNull } from '../domain/base/units.js';

/** GET /api/v1/ups/{name}/battery-health; null while unknown or off. */
export const BatteryHealthBody = t.type(
  { ups: t.string, batteryHealth: orNull(BatteryHealth) },
  'BatteryHealthBody',
);
export type BatteryHealthBody = t.TypeOf<typeof BatteryHealthBody>;

/** GET /control/v1/battery-health */
export const BatteriesBody = t.type({ batteries: t.readonlyArray(BatteryHealthBody) }, 'BatteriesBody');
export type BatteriesBody = t.TypeOf<typeof BatteriesBody>;

const values = t.readonlyArray(orNull(finite));

/** A list for each quantity; the same place in all is one point. */
export const DischargeCurve = t.type(
  { seconds: t.readonlyArray(finite), charge: values, volts: values, load: values, wh: values },
  'DischargeCurve',
);
export type DischargeCurve = t.TypeOf<typeof DischargeCurve>;

export const DischargeRow = t.type(
  {
    id: finite,
    /** The battery it was measured with. */
    series: finite,
    cause: OutageCause,
    /** Unix seconds. */
    start: finite,
    /** Null while it is recorded. */
    end: orNull(finite),
    /** On battery, without interruptions. */
    seconds: finite,
    /** The mean, percent. */
    load: orNull(finite),
    fromCharge: orNull(finite),
    toCharge: orNull(finite),
    wh: orNull(finite),
    energyEstimated: t.boolean,
    /** Against the first discharge of the battery; null where it was too short to be compared. */
    capacity: orNull(finite),
    curve: DischargeCurve,
  },
  'DischargeRow',
);
export type DischargeRow = t.TypeOf<typeof DischargeRow>;

/** GET /api/v1/ups/{name}/battery-health/history */
export const BatteryHistoryBody = t.type(
  {
    ups: t.string,
    /** The last two years, oldest first: a list for each quantity. `day`: Unix seconds of 00:00 UTC. */
    days: t.type({
      day: t.readonlyArray(finite),
      series: t.readonlyArray(finite),
      score: values,
      runtimeRatio: values,
    }),
    /** The newest, newest first. */
    discharges: t.readonlyArray(DischargeRow),
  },
  'BatteryHistoryBody',
);
export type BatteryHistoryBody = t.TypeOf<typeof BatteryHistoryBody>;
