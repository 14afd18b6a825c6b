// What is known of the battery of one UPS besides its days and discharges: in memory, and in the database across restarts.
import * as t from 'io-ts';
import { noAlerts } from '../../../shared/domain/status/battery-alerts.js';
import { BatteryHealth } from '../../../shared/domain/ups/battery/health.js';
import { neverSeen } from '../../../shared/domain/ups/battery/rest.js';
import { finite, orNull } from '../../../shared/domain/base/units.js';

export const BatteryState = t.readonly(
  t.type({
    /** Of this battery; it counts up with each new one. */
    series: finite,
    /** Unix seconds. */
    since: finite,
    /** YYYY-MM-DD, and whether it is configured. */
    date: orNull(t.string),
    isDateConfigured: t.boolean,
    /** A jump of the capacity showed a new battery on this day: an earlier date is that of the old one. */
    replacedOn: orNull(t.string),
    rest: t.readonly(
      t.type({ lastMs: orNull(finite), usedMs: finite, charge: orNull(finite), chargeMs: finite }),
    ),
    nominal: orNull(t.readonly(t.type({ load: finite, runtime: finite }))),
    /** The setting that `nominal` was made with. */
    configuredSeconds: finite,
    /** The usual load on line power. */
    load: orNull(finite),
    asksForReplacement: t.boolean,
    /** Unix seconds of the last anomalies. */
    anomalies: t.readonlyArray(finite),
    raised: t.readonly(t.type({ warning: t.boolean, critical: t.boolean, replacement: t.boolean })),
    /** The day of the last sample; days before it are complete. */
    day: finite,
    /** The update interval of the last assessment, counted since 1970. */
    slot: orNull(finite),
    health: orNull(BatteryHealth),
  }),
  'BatteryState',
);
export type BatteryState = t.TypeOf<typeof BatteryState>;

export function newBattery(atSeconds: number): BatteryState {
  return {
    series: 1,
    since: atSeconds,
    date: null,
    isDateConfigured: false,
    replacedOn: null,
    rest: neverSeen,
    nominal: null,
    configuredSeconds: 0,
    load: null,
    asksForReplacement: false,
    anomalies: [],
    raised: noAlerts,
    day: dayOf(atSeconds),
    slot: null,
    health: null,
  };
}

/** Days since 1970, UTC: no clock change ever makes one shorter. */
export function dayOf(seconds: number): number {
  return Math.floor(seconds / 86_400);
}
