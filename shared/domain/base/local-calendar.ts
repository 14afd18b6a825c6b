// Days, weeks and months in local time, with their 23, 24 or 25 hours. Pure apart from the time zone of the process.
import type * as t from 'io-ts';
import { oneOf } from './units.js';

export const PeriodName = oneOf('day', 'week', 'month');
export type PeriodName = t.TypeOf<typeof PeriodName>;

/** Unix seconds, `to` excluded. */
export interface Period {
  readonly period: PeriodName;
  readonly from: number;
  readonly to: number;
}

export const weekdays = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const;

/** YYYYMMDD. */
export function dayOf(atMs: number): number {
  const date = new Date(atMs);
  return date.getFullYear() * 10_000 + (date.getMonth() + 1) * 100 + date.getDate();
}

/** The first instant of the local day in ms, also where it does not begin at 00:00. */
export function startOfDay(day: number): number {
  return new Date(Math.floor(day / 10_000), (Math.floor(day / 100) % 100) - 1, day % 100).getTime();
}

/** The period that contains `atSeconds`. `weekday`: the first day of a week, 0 is Sunday. */
export function periodAt(period: PeriodName, atSeconds: number, weekday = 1): Period {
  const at = new Date(atSeconds * 1000);
  const start = (month: number, day: number): number =>
    new Date(at.getFullYear(), month, day).getTime() / 1000;
  const [month, day] = [at.getMonth(), at.getDate()];
  switch (period) {
    case 'day':
      return { period, from: start(month, day), to: start(month, day + 1) };
    case 'week': {
      const first = day - ((at.getDay() - weekday + 7) % 7);
      return { period, from: start(month, first), to: start(month, first + 7) };
    }
    case 'month':
      return { period, from: start(month, 1), to: start(month + 1, 1) };
  }
}

/** The last period that had ended at `atSeconds`. */
export function periodBefore(period: PeriodName, atSeconds: number, weekday = 1): Period {
  return periodAt(period, periodAt(period, atSeconds, weekday).from - 1, weekday);
}

/** The first instants of the parts of a period in Unix seconds: the hours of a day, the days of a week or month. */
export function stepsOf({ period, from, to }: Period): readonly number[] {
  const steps = [from];
  for (let at = from; ; steps.push(at)) {
    at = period === 'day' ? at + 3600 : periodAt('day', at).to;
    if (at >= to) return steps;
  }
}

/** `2026-01-31` */
export function localDate(unixSeconds: number): string {
  const day = String(dayOf(unixSeconds * 1000)).padStart(8, '0');
  return `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`;
}

/** `2026-01-31 14:30:05` */
export function localTime(unixSeconds: number): string {
  const at = new Date(unixSeconds * 1000);
  const clock = [at.getHours(), at.getMinutes(), at.getSeconds()];
  return `${localDate(unixSeconds)} ${clock.map((value) => String(value).padStart(2, '0')).join(':')}`;
}
