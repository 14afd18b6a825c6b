// The connection to a UPS and the time of its last report after a good reading.
import type { PolicyClock } from '../base/clock.js';
import { pollSucceeded, answeredNothing } from '../connection/connection.js';
import type { Line } from '../power/power-source.js';
import type { GoodReadings } from '../power/readings.js';
import { tellsNothing } from '../power/readings.js';
import type { UpsState } from '../state/ups-state.js';

/** The connection after an answer; one that tells nothing of the battery is silence to the failsafe, as WAIT is. */
export function connectionAfter(
  ups: UpsState,
  readings: GoodReadings,
  line: Line,
  now: PolicyClock,
): Pick<UpsState, 'lastReport' | 'connection' | 'readings'> {
  const { last } = readings;
  if (line.kind === 'outage' && tellsNothing(last)) {
    const watchedMs = ups.readings.last?.watchedMs ?? ups.addedWatchedMs;
    const lastReport = { ...ups.lastReport, waiting: true };
    return {
      lastReport,
      connection: answeredNothing(ups.connection),
      readings: { ...readings, last: { ...last, watchedMs } },
    };
  }
  const connection = pollSucceeded(ups.connection, ups.policy.grace, now.monotonicMs);
  return { lastReport: { watchedMs: now.watchedMs, waiting: false }, connection, readings };
}
