// Keeps the nominal runtime of a battery: learns it, moves it with the load, follows the configuration, and sees a jump.
import type { BatterySettings } from '../../../shared/domain/ups/battery/health.js';
import { firstNominal, jumpDay, movedNominal } from '../../../shared/domain/ups/battery/full-runtime.js';
import type { Database } from '../database.js';
import { readDays, setRatios } from './days.js';
import { beginSeries } from './series.js';
import type { WatchedBattery } from './watch.js';

/** Call it when days have changed. */
export async function withNominal(
  db: Database,
  watched: WatchedBattery,
  settings: BatterySettings,
): Promise<WatchedBattery> {
  const { ups, state } = watched;
  const { nominalRuntimeSeconds: configuredSeconds } = settings;
  const days = await readDays(db, ups, state.series, state.day);
  if (state.nominal === null || state.configuredSeconds !== configuredSeconds) {
    const nominal = firstNominal(days, configuredSeconds);
    if (nominal !== null) await setRatios(db, ups, days, nominal);
    return { ...watched, state: { ...state, nominal, configuredSeconds } };
  }
  const complete = days.filter(({ day }) => day < state.day);
  const jump = jumpDay(complete);
  if (jump !== null) {
    const begun = await beginSeries(db, watched, jump * 86_400, 'jump');
    return withNominal(db, begun, settings);
  }
  return { ...watched, state: { ...state, nominal: movedNominal(complete, state.nominal) } };
}
