// A charge or runtime below its threshold, for rule (c) of the reserve. Pure.
import type { Clock } from './clock.js';

type Value = number | null;

/** In `count` readings in a row, shown for `forMs`; in doubt when it fell in a jump. */
export type Low = Readonly<
  Record<'count' | 'sinceMs' | 'forMs' | 'value', number> & { inDoubt: boolean }
> | null;

export const unmet = (low: Low): Low => low && { ...low, count: 0 };

export function lowAfter(low: Low, value: Value, limit: number, last: Value, jump: number, at: Clock): Low {
  // A value that is missing now may have been low by another limit.
  if (value === null) return low === null || low.value >= limit ? null : low;
  if (value >= limit) return null;
  const { count, sinceMs } = low ?? { count: 0, sinceMs: at.atMs };
  const inDoubt = low === null ? last === null || last - value > jump : low.inDoubt && value === low.value;
  return { count: count + 1, sinceMs, forMs: at.askedMs - sinceMs, value, inDoubt };
}
