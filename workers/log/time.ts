// Wall times of records as text. A record's time comes from another process: any finite number must be printable.

/** End of the year 9999, the last that RFC 3339 can write. */
const lastSecond = 253_402_300_799;

/** The record's time; this moment for one that no calendar has. */
export function dateOf(unixSeconds: number): Date {
  return new Date(unixSeconds >= 0 && unixSeconds <= lastSecond ? unixSeconds * 1000 : Date.now());
}

/** RFC 3339 in UTC with milliseconds: `2026-11-21T15:00:00.123Z`. */
export function isoTime(unixSeconds: number): string {
  return dateOf(unixSeconds).toISOString();
}
