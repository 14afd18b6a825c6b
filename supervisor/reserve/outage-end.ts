// How an outage ends for the reserve, or begins by what policy knows. One that only falling values show, with OL in each status, ends when they stand still
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
  // A lowest value from which one rises in a jump was a wrong sample.
  const rises = (value: number | null, before: number | null, jump: (value: number) => number) =>
    value !== null && before !== null && value - before > jump(value);
  const lows = {
    charge: isLowerCharge || rises(low.charge, charge, () => 10) ? low.charge : charge,
    runtime: isLowerRuntime || rises(low.runtime, runtime, (value) => value / 3) ? low.runtime : runtime,
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

/** Policy knows it, by a fall too: the delays of what OL with OB has met begin with it. */
export function withOutage(seen: Seen, outageMs: number, sum: Seen['sum']): Seen {
  const undecided = Object.entries(seen.met).map(([group, met]) => [group, { ...met, by: null }] as const);
  const met = seen.ob < 0 ? Object.fromEntries(undecided) : seen.met;
  return { ...seen, ob: Math.max(seen.ob, 0), outageMs, sum, met };
}
