// Begins a new series: the battery is another one. What was measured since then is of the new battery.
import { noAlerts } from '../../../shared/domain/status/battery-alerts.js';
import { isoDay } from '../../../shared/domain/ups/battery/install-date.js';
import type { Database } from '../database.js';
import { moveDays } from './days.js';
import { moveDischarges } from './discharges.js';
import type { BatteryState } from './state.js';
import { dayOf } from './state.js';
import type { WatchedBattery } from './watch.js';

/** A date this close to the begin of the series is that of the battery of the series. */
const sameBatterySeconds = 7 * 86_400;

/** `why` jump: no date announced it. */
export async function beginSeries(
  db: Database,
  watched: WatchedBattery,
  from: number,
  why: 'date' | 'jump' = 'date',
): Promise<WatchedBattery> {
  const { ups, state } = watched;
  // Not before the series that ends: a date can lie years back.
  const since = Math.max(from, state.since);
  const series = state.series + 1;
  await moveDays(db, ups, series, dayOf(since), state.day);
  await moveDischarges(db, ups, series, since * 1000);
  const replacedOn = why === 'jump' ? isoDay(since) : null;
  return {
    ...watched,
    readings: [],
    discharge: watched.discharge === null ? null : { ...watched.discharge, series },
    state: {
      ...state,
      series,
      since,
      replacedOn,
      date: replacedOn ?? state.date,
      nominal: null,
      raised: noAlerts,
      anomalies: state.anomalies.filter((at) => at >= since),
    },
  };
}

export interface Dated {
  readonly state: BatteryState;
  /** Unix seconds at which another battery was installed; null: it is the same one. */
  readonly newSince: number | null;
}

/** The state with the date that is known now. `configured` "": none. */
export function dateOf(
  state: BatteryState,
  configured: string,
  reported: string | undefined,
  nowSeconds: number,
): Dated {
  const isDateConfigured = configured !== '';
  // A device may leave it out for a while; a configured date that was removed is gone.
  const kept = state.isDateConfigured ? null : state.date;
  const known = isDateConfigured ? configured : (reported ?? kept);
  const { replacedOn } = state;
  const date = replacedOn !== null && (known ?? '') < replacedOn ? replacedOn : known;
  const next = { ...state, date, isDateConfigured };
  if (date === null || date === state.date) return { state: next, newSince: null };
  const installed = Date.parse(`${date}T00:00:00Z`) / 1000;
  if (Math.abs(installed - state.since) <= sameBatterySeconds) return { state: next, newSince: null };
  // Devices report when it was made: another date is another battery, which is in since now.
  const isOther = !isDateConfigured && !state.isDateConfigured && state.date !== null;
  const isLater = installed > state.since;
  const newSince = isDateConfigured && isLater ? Math.min(installed, nowSeconds) : nowSeconds;
  return { state: next, newSince: isOther || isLater ? newSince : null };
}
