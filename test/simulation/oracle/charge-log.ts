// The charges of an outage, for the rate of specification/policy.md#depletion: by the highest charge from a moment on, which falls
// where a gauge falls for good.
interface Charge {
  readonly atMs: number;
  readonly percent: number;
}

/** Charges that differ from the one before, from the base of the first fall that counts on; `atMs`: of the last one read. */
export interface ChargeLog {
  readonly list: readonly Charge[];
  readonly atMs: number;
  /** The first reading of the outage; an earlier charge is none of its falls. */
  readonly sinceMs: number;
  /** When the runtime was last read anew on battery. */
  readonly runtimeMs: number;
  /** At the last charge that was read. */
  readonly rate: number | null;
}

export const emptyLog: ChargeLog = {
  list: [],
  atMs: 0,
  sinceMs: -Infinity,
  runtimeMs: -Infinity,
  rate: null,
};

interface Fall {
  readonly atMs: number;
  readonly from: number;
  readonly to: number;
}

export interface Span {
  readonly windowMs: number;
  readonly intervalMs: number;
  /** The end of the stabilization delay. */
  readonly settledMs: number;
}

export function logged(log: ChargeLog, charge: Charge, span: Span, nowMs = charge.atMs): ChargeLog {
  const after = withCharge(log, charge, span, nowMs);
  return { ...after, rate: rateOf(after, span) };
}

function withCharge(
  log: ChargeLog,
  charge: Charge,
  { windowMs, intervalMs, settledMs }: Span,
  nowMs: number,
): ChargeLog {
  const isSame = log.list.at(-1)?.percent === charge.percent;
  const all = { ...log, list: isSame ? log.list : [...log.list, charge], atMs: nowMs };
  const falls = fallsOf(all);
  const isPast = (sinceMs: number) => falls.filter(({ atMs }) => atMs < sinceMs).length;
  // "Those before the window do not count, but for the last two; nor those of the stabilization delay."
  const old = Math.min(isPast(nowMs - windowMs), Math.max(0, falls.length - 2));
  const isSettled = nowMs - settledMs >= leastMs(windowMs, intervalMs);
  const gone = Math.max(old, isSettled ? isPast(settledMs) : 0);
  if (gone === 0) return all;
  const first = falls[gone];
  if (first === undefined) return { ...all, list: [charge] };
  return {
    ...all,
    list: [{ ...first, percent: first.from }, ...all.list.filter(({ atMs }) => atMs >= first.atMs)],
  };
}

/** Where the highest charge from there on falls. */
export function fallsOf({ list }: ChargeLog): readonly Fall[] {
  const falls: Fall[] = [];
  let highest = -Infinity;
  for (const [place, { percent }] of [...list.entries()].reverse()) {
    const next = list[place + 1];
    if (percent > highest && next !== undefined)
      falls.unshift({ atMs: next.atMs, from: percent, to: highest });
    highest = Math.max(highest, percent);
  }
  return falls;
}

/** "The time of 30 readings, or of as many as half of the window holds, at least two." */
function leastMs(windowMs: number, intervalMs: number): number {
  const readings = Math.floor(windowMs / 2 / intervalMs);
  return (Math.min(30, Math.max(2, readings)) - 1) * intervalMs;
}

/** "The points of the falls but the largest, over the time since the first", 2 decimals; null for fewer than two. */
function rateOf(log: ChargeLog, { windowMs, intervalMs }: Span): number | null {
  const falls = fallsOf(log);
  const [first] = falls;
  if (first === undefined || falls.length < 2) return null;
  const lastedMs = log.atMs - first.atMs;
  if (lastedMs < leastMs(windowMs, intervalMs)) return null;
  const points = falls.map(({ from, to }) => from - to).sort((a, b) => b - a);
  const counted = points.slice(1).reduce((sum, one) => sum + one, 0);
  return Math.round((counted / (lastedMs / 60_000)) * 100) / 100;
}

/** "A rate of two falls waits where the runtime was read anew since the first and is above twice its threshold." */
export function isHeldByRuntime(
  log: ChargeLog,
  atMs: number,
  runtimeSeconds: number | null,
  { runtimeHoldMs, criticalSeconds }: { readonly runtimeHoldMs: number; readonly criticalSeconds: number },
): boolean {
  const [first, second, third] = fallsOf(log);
  if (first === undefined || second === undefined || third !== undefined) return false;
  const isLong = criticalSeconds > 0 && runtimeSeconds !== null && runtimeSeconds > 2 * criticalSeconds;
  return isLong && log.runtimeMs > first.atMs && atMs - second.atMs < runtimeHoldMs;
}
