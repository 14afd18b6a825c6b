// A point in time as text: `2h` ago, `14:30` today, a date; or `90d` from now.
import { localTime } from '../../shared/domain/base/local-calendar.js';
import { UsageError } from './usage.js';

const unitSeconds: Readonly<Record<string, number>> = { s: 1, m: 60, min: 60, h: 3600, d: 86_400 };
/** A Unix time of this century has more digits than a mistyped number of minutes or a year. */
const minDigits = 9;
/** The last second of the year 9999, as in the API. */
const latest = 253_402_300_799;

/** Unix seconds, an integer. `nowSeconds` is Unix time. Throws a UsageError for other text. */
export function parseTime(text: string, nowSeconds: number): number {
  const seconds = ago(text, nowSeconds) ?? unixTime(text) ?? timeToday(text, nowSeconds) ?? date(text);
  if (seconds !== undefined && seconds >= 0 && seconds <= latest) return Math.floor(seconds);
  throw new UsageError(
    `${JSON.stringify(text.slice(0, 40))} is not a time: use 90s, 30m, 2h or 7d ago, "14:30", "2026-01-31", "2026-01-31 14:30:00", or Unix seconds`,
  );
}

/** The end of something: Unix seconds, an integer, after `nowSeconds`. Throws a UsageError for other text. */
export function parseEnd(text: string, nowSeconds: number): number {
  const seconds = secondsOf(text);
  const end = Math.floor(seconds === undefined ? (date(text) ?? NaN) : nowSeconds + seconds);
  if (end > nowSeconds && end <= latest) return end;
  throw new UsageError(
    `${JSON.stringify(text.slice(0, 40))} is not a time to come: use 12h, 90d, "2027-01-31" or "2027-01-31 14:30:00"`,
  );
}

function ago(text: string, nowSeconds: number): number | undefined {
  const seconds = secondsOf(text);
  return seconds === undefined ? undefined : Math.max(0, nowSeconds - seconds);
}

function secondsOf(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,9}) ?(s|m|min|h|d)$/.exec(text) ?? [];
  return unit === undefined ? undefined : Number(count) * (unitSeconds[unit] ?? 0);
}

function unixTime(text: string): number | undefined {
  return /^\d+$/.test(text) && text.length >= minDigits ? Number(text) : undefined;
}

function timeToday(text: string, nowSeconds: number): number | undefined {
  if (!/^\d\d:\d\d(:\d\d)?$/.test(text)) return undefined;
  return date(`${localTime(nowSeconds).slice(0, 10)} ${text}`);
}

function date(text: string): number | undefined {
  const found = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d)(:\d\d)?)?(Z)?$/.exec(text);
  if (found === null) return undefined;
  const [, day = '', time = '00:00', seconds = ':00', zone = ''] = found;
  const at = new Date(`${day}T${time}${seconds}${zone}`);
  if (Number.isNaN(at.getTime())) return undefined;
  // Date changes February 30 to March 2, which must be refused. (A skipped hour is accepted.)
  const shown = zone === '' ? localTime(at.getTime() / 1000) : at.toISOString();
  return shown.slice(0, 10) === day ? at.getTime() / 1000 : undefined;
}
