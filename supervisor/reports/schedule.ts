// Which report is due, in local time. Pure apart from the time zone of the process.
import type { Period, PeriodName } from '../../shared/domain/base/local-calendar.js';
import { periodAt, periodBefore } from '../../shared/domain/base/local-calendar.js';
import type { ReportsConfiguration } from '../config/configuration/configuration.js';

/** What was measured in the last minute of a period is in the database by then. */
const writtenSeconds = 180;

/**
 * The newest period whose report is due. A report is known by its period, so that no change of the clock or of the schedule
 * makes a second one.
 */
export function lastDue(period: PeriodName, schedule: ReportsConfiguration, nowSeconds: number): Period {
  const { weekday } = schedule;
  const current = periodAt(period, nowSeconds, weekday);
  const ended = periodBefore(period, nowSeconds, weekday);
  return dueIn(current, schedule) <= nowSeconds ? ended : periodBefore(period, ended.from, weekday);
}

/** When the report of the period before `current` is due. */
function dueIn({ period, from, to }: Period, { hour, minute, dayOfMonth }: ReportsConfiguration): number {
  const first = new Date(from * 1000);
  const lastDay = new Date(to * 1000 - 1).getDate();
  const day = period === 'month' ? Math.min(dayOfMonth, lastDay) : first.getDate();
  // A time that the day does not have, because of daylight saving, is that much later; one that it has twice, the first.
  const at = new Date(first.getFullYear(), first.getMonth(), day, hour, minute).getTime() / 1000;
  return Math.max(at, from + writtenSeconds);
}
