// How an outage ends for the reserve. One that only falling values show, with OL in each status, ends when they stand still
// (specification/policy.md#source-unknown). Pure.
import type { Clock } from './clock.js';
import type { Seen } from './reserve.js';

/** As policy (policy/power/power-source.ts): a battery that feeds a load shows a lower value within this. */
const quietMs = 5 * 60_000;
/** A runtime that moves by less follows the load. */
const lowShare = 0.01;

/** After a reading, in an outage that policy knows by its values. */
export function afterValues(seen: Seen, words: readonly string[], { atMs, askedMs }: Clock): Seen {
  if (seen.lows === null) return seen;
  const { charge, runtime, reachedMs } = seen.lows;
  const low = seen.last;
  const isLowerCharge = low.charge !== null && (charge === null || low.charge < charge);
  const isLowerRuntime =
    low.runtime !== null && (runtime === null || low.runtime <= runtime * (1 - lowShare));
  const isBoth = words.includes('OL') && words.includes('OB');
  const lows = {
    charge: isLowerCharge ? low.charge : charge,
    runtime: isLowerRuntime ? low.runtime : runtime,
    reachedMs: isLowerCharge || isLowerRuntime || !isBoth ? atMs : reachedMs,
  };
  const isMet = Object.values(seen.met).some(
    (met) => met.by !== null || [met.flag, met.charge?.count, met.runtime?.count].some((count) => count),
  );
  const isQuiet = askedMs - lows.reachedMs > quietMs && !isMet;
  return isQuiet ? withUnknownSource(seen, atMs) : { ...seen, lows };
}

/** Policy or the readings show that the outage is over. */
export function withoutOutage(seen: Seen, atMs: number): Seen {
  const { outageMs, ob, ended: before } = seen;
  if (outageMs === null) return seen;
  const ended = ob < 0 ? before : { outageMs, atMs };
  return { ...seen, ended, outageMs: null, flagMs: null, isOnBattery: false, met: {}, ob: 0, lows: null };
}

/** OL with OB is no outage any more: its battery has not given what its values seemed to show. */
export function withUnknownSource(seen: Seen, atMs: number): Seen {
  const { outageMs, sum } = seen;
  if (outageMs === null) return seen;
  const ms = Math.max(0, sum.ms - (atMs - outageMs));
  return { ...withoutOutage(seen, atMs), ob: -1, sum: { ...sum, ms, rate: -0.1, sinceMs: atMs } };
}
