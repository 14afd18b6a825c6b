// Selects the tier and the width of the buckets of a chart. Pure arithmetic.
import type { Retention } from '../../../shared/protocol/storage.js';

export type Tier = 'raw' | '5min' | 'hourly';

/** Seconds between the rows of a tier; samples have a resolution of one second. */
export const nativeSeconds: Readonly<Record<Tier, number>> = { raw: 1, '5min': 300, hourly: 3600 };

/** Rows are kept longer than the retention by this (workers/storage/retention.ts). */
const graceSeconds = 600;
const hour = 3600;
const day = 86_400;

/** The finest tier that still has `from`. All times are Unix seconds. */
export function tierFor(from: number, now: number, retention: Retention): Tier {
  const age = now - graceSeconds - from;
  if (age <= retention.rawHours * hour) return 'raw';
  return age <= retention.fiveMinuteDays * day ? '5min' : 'hourly';
}

/** The earliest second with stored data. */
export function horizonOf(now: number, retention: Retention): number {
  return Math.floor(now) - retention.hourlyDays * day;
}

/**
 * The narrowest bucket, a multiple of `native` seconds, with at most `points` buckets in [from, to]. Buckets start at
 * multiples of their width, so that the past of a moving chart does not change.
 */
export function bucketSeconds(from: number, to: number, points: number, native: number): number {
  const touched = (width: number): number => Math.floor(to / width) - Math.floor(from / width) + 1;
  let width = Math.max(native, Math.ceil((to - from + 1) / points / native) * native);
  while (touched(width) > points) width += native;
  return width;
}
