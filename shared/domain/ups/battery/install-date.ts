// The date of a battery as devices write it (battery.date, battery.mfr.date), as YYYY-MM-DD. Pure.
import type { Variables } from '../reading.js';

const daySeconds = 86_400;
/** The mean year. */
const yearSeconds = 365.25 * daySeconds;
/** No battery of a UPS is older: such a date is the default of a device that nobody has set (2001/09/25). */
const oldestYears = 20;

/** The date that the device reports: of the replacement, else of the manufacture; undefined when it reports none. */
export function reportedDate(variables: Variables): string | undefined {
  return isoDateOf(variables['battery.date']) ?? isoDateOf(variables['battery.mfr.date']);
}

/** 2009/10/11, 2009-10-11, 10/25/09, 08/08/2015 (month first, as APC; day first where it can only be that). */
function isoDateOf(text: string | undefined): string | undefined {
  const [, year, month, day] = /^\s*(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})\s*$/.exec(text ?? '') ?? [];
  if (year !== undefined) return checkDate(Number(year), Number(month), Number(day));
  const [, first, second, last] = /^\s*(\d{1,2})[-/.](\d{1,2})[-/.](\d{2}|\d{4})\s*$/.exec(text ?? '') ?? [];
  if (last === undefined) return undefined;
  const century = last.length === 4 ? 0 : Number(last) < 70 ? 2000 : 1900;
  const dayFirst = Number(first) > 12;
  const [monthPart, dayPart] = dayFirst ? [second, first] : [first, second];
  return checkDate(century + Number(last), Number(monthPart), Number(dayPart));
}

function checkDate(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isReal = year > 1900 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isReal ? date.toISOString().slice(0, 10) : undefined;
}

export function isoDay(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 10);
}

/** Years from `date` to now; null for a date that no battery of today has. */
export function ageYears(date: string | null, nowSeconds: number): number | null {
  if (date === null) return null;
  const seconds = nowSeconds - Date.parse(`${date}T00:00:00Z`) / 1000;
  // A day in the future is another time zone.
  if (!(seconds >= -daySeconds) || seconds > oldestYears * yearSeconds) return null;
  return Math.max(0, seconds) / yearSeconds;
}
