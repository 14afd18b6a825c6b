// Begins a new series: the battery is another one. What was measured since then is of the new battery.
import { noAlerts } from '../../../shared/domain/battery/alerts.js';
import { isoDay } from '../../../shared/domain/battery/install-date.js';
import type { Database } from '../database.js';
import { moveDays } from './days.js';
import { moveDischarges } from './discharges.js';
import type { BatteryState } from './state.js';
import { dayOf } from './state.js';
import type { Watched } from './watch.js';

/** A date this close to the begin of the series is that of the battery of the series. */
const sameBatterySeconds = 7 * 86_400;

/** `why` jump: no date told of it. */
export async function beginSeries(
  db: Database,
  watched: Watched,
  from: number,
  why: 'date' | 'jump' = 'date',
): Promise<Watched> {
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

/** The state with the date that is known now, and whether it is that of another battery, installed at `from`. */
export function dateOf(
  state: BatteryState,
  configured: string,
  reported: string | undefined,
): { readonly state: BatteryState; readonly isNewBattery: boolean; readonly from: number } {
  const isDateConfigured = configured !== '';
  // A device may leave it out for a while; a configured date that was removed is gone.
  const kept = state.isDateConfigured ? null : state.date;
  const told = isDateConfigured ? configured : (reported ?? kept);
  const { replacedOn } = state;
  const date = replacedOn !== null && (told ?? '') < replacedOn ? replacedOn : told;
  if (date === state.date && isDateConfigured === state.isDateConfigured)
    return { state, isNewBattery: false, from: 0 };
  const next = { ...state, date, isDateConfigured };
  const from = date === null ? 0 : Date.parse(`${date}T00:00:00Z`) / 1000;
  const isSame = date === state.date || Math.abs(from - state.since) <= sameBatterySeconds;
  const isLater = date !== null && from > state.since;
  const isChanged = date !== null && state.date !== null;
  return { state: next, isNewBattery: !isSame && (isChanged || isLater), from };
}
