// Formats the wall-clock times of records. Another process sends them, so any finite number must be printable.

/** End of the year 9999, the last of RFC 3339. */
const lastSecond = 253_402_300_799;

/** The time of the record; the current time where that is out of range. */
export function dateOf(unixSeconds: number): Date {
  return new Date(unixSeconds >= 0 && unixSeconds <= lastSecond ? unixSeconds * 1000 : Date.now());
}

/** RFC 3339 in UTC with milliseconds: `2026-11-21T15:00:00.123Z`. */
export function isoTime(unixSeconds: number): string {
  return dateOf(unixSeconds).toISOString();
}
