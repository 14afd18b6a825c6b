// When a scheduled test is due, in local time. Pure apart from the time zone of the process.

/** `daily`, `weekly` (Sunday), `monthly` (the 1st) or `every Nd`, at `time`, HH:MM. */
export interface Schedule {
  readonly schedule: string;
  readonly time: string;
}

/** A record this far in the future was written before the clock was set back, or the clock is not set yet. */
const maxAheadSeconds = 86_400;

/**
 * Whether a test is due: a date of the schedule has passed since the last attempt. Dates that were missed are made up for by
 * one test. `sinceSeconds`: when this schedule came into effect; an attempt before is none of it. `readSeconds`: when both were read
 * from the history; where they are in the future, the schedule counts from then.
 */
export function isDue(
  schedule: Schedule,
  sinceSeconds: number,
  attemptSeconds: number | null,
  readSeconds: number,
  nowSeconds: number,
): boolean {
  return dateOf(schedule, sinceSeconds, attemptSeconds, readSeconds, nowSeconds) <= nowSeconds;
}

/** The date that `isDue` waits for. */
export function dateOf(
  schedule: Schedule,
  sinceSeconds: number,
  attemptSeconds: number | null,
  readSeconds: number,
  nowSeconds: number,
): number {
  const known = [sinceSeconds, attemptSeconds ?? Infinity].filter((at) => at <= nowSeconds + maxAheadSeconds);
  const from = known.length === 0 ? readSeconds : Math.max(...known);
  return nextAfter(schedule, from);
}

/** The first date of the schedule after `fromSeconds`; for `every Nd`, N days after its day. */
export function nextAfter({ schedule, time }: Schedule, fromSeconds: number): number {
  const from = new Date(fromSeconds * 1000);
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  // A time that the day does not have, because of daylight saving, is that much later; one that it has twice, the first.
  const on = (month: number, day: number): number =>
    new Date(from.getFullYear(), month, day, hour, minute).getTime() / 1000;
  const [month, day] = [from.getMonth(), from.getDate()];
  const later = (first: number, second: () => number) => (first > fromSeconds ? first : second());
  switch (schedule) {
    case 'daily':
      return later(on(month, day), () => on(month, day + 1));
    case 'weekly': {
      const sunday = day + ((7 - from.getDay()) % 7);
      return later(on(month, sunday), () => on(month, sunday + 7));
    }
    case 'monthly':
      return later(on(month, 1), () => on(month + 1, 1));
    default:
      return on(month, day + Number(/^every (\d+)d$/.exec(schedule)?.[1] ?? 30));
  }
}
