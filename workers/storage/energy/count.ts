// Energy between two samples, by local calendar day. Pure apart from the time zone of the process.
import type { Power } from '../../../shared/domain/ups/energy.js';
import { dayOf, startOfDay } from '../../../shared/domain/base/local-calendar.js';

/**
 * A longer time between two samples is a gap and counts nothing: no poll interval comes near it, and a restart of the worker,
 * which has lost at most a minute, stays below it.
 */
export const longestStepMs = 120_000;

/** `atMs`: Unix time. */
export type PowerAt = Power & { readonly atMs: number };

export interface DayEnergy {
  /** YYYYMMDD, local. */
  readonly day: number;
  readonly joules: number;
  readonly seconds: number;
  readonly estimated: Power['estimated'];
}

/** The mean power times the time; nothing after a gap or a clock set back. A midnight between the two divides it. */
export function energyBetween(a: PowerAt, b: PowerAt): readonly DayEnergy[] {
  const ms = b.atMs - a.atMs;
  if (ms <= 0 || ms > longestStepMs) return [];
  const [first, last] = [dayOf(a.atMs), dayOf(b.atMs)];
  if (first === last) return [piece(a, b, first)];
  const midnight = startOfDay(last);
  const watts = a.watts + ((b.watts - a.watts) * (midnight - a.atMs)) / ms;
  const middle = { atMs: midnight, watts, estimated: Math.max(a.estimated, b.estimated) };
  return [piece(a, middle, first), piece(middle, b, last)].filter(({ seconds }) => seconds > 0);
}

function piece(a: PowerAt, b: PowerAt, day: number): DayEnergy {
  const seconds = (b.atMs - a.atMs) / 1000;
  return {
    day,
    seconds,
    joules: ((a.watts + b.watts) / 2) * seconds,
    estimated: Math.max(a.estimated, b.estimated),
  };
}

/** The sum of two pieces of one day. */
export function plus(a: DayEnergy | undefined, b: DayEnergy): DayEnergy {
  if (a === undefined) return b;
  return {
    day: b.day,
    joules: a.joules + b.joules,
    seconds: a.seconds + b.seconds,
    estimated: Math.max(a.estimated, b.estimated),
  };
}
