// Which rows a chart is made of: the tier, and how wide its buckets are. Pure arithmetic.
import type { Retention } from '../../../shared/protocol/storage.js';

export type Tier = 'raw' | '5min' | 'hourly';

/** Seconds between the rows of a tier; samples are told apart to the second. */
export const nativeSeconds: Readonly<Record<Tier, number>> = { raw: 1, '5min': 300, hourly: 3600 };

/** What storage keeps beyond the retention (workers/storage/retention.ts): "the last 24 hours" is asked for a little later. */
const graceSeconds = 600;
const hour = 3600;
const day = 86_400;

/** The finest tier that still holds `from`. All times are Unix seconds. */
export function tierFor(from: number, now: number, retention: Retention): Tier {
  const age = now - graceSeconds - from;
  if (age <= retention.rawHours * hour) return 'raw';
  return age <= retention.fiveMinuteDays * day ? '5min' : 'hourly';
}

/** The earliest second of which anything is kept. */
export function horizonOf(now: number, retention: Retention): number {
  return Math.floor(now) - retention.hourlyDays * day;
}

/**
 * The narrowest bucket, a multiple of `native` seconds, with which at most `points` buckets touch [from, to]. Buckets
 * start at multiples of their width, so that a chart that moves on does not reshuffle its past.
 */
export function bucketSeconds(from: number, to: number, points: number, native: number): number {
  const touched = (width: number): number => Math.floor(to / width) - Math.floor(from / width) + 1;
  let width = Math.max(native, Math.ceil((to - from + 1) / points / native) * native);
  while (touched(width) > points) width += native;
  return width;
}
