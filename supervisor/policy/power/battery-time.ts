// The time that the battery gave, for EXTENDED_TIME: outages that follow each other add up, since a battery charges slowly. The
// clock of one outage is in power-source.ts.

import { reuseUnchanged } from '../base/comparison.js';

/** A battery takes about ten times as long to charge as it gave its load. */
const rechargeFactor = 10;
/** A gauge that has shown no fall in more than this is not believed when it says that nothing is missing: it may be stuck, or coarse. */
const silentMs = 90_000;

/** What the sum does until the next reading. */
export type BatteryUse = 'gives' | 'charges' | 'rests';

export interface BatteryTime {
  /** The sum at `sinceMs`; from there on it changes by `use`. */
  readonly sumMs: number;
  readonly sinceMs: number;
  readonly use: BatteryUse;
  /** The charge before the sum began, by the last reading that had one; null while unknown. */
  readonly fullPercent: number | null;
  /** Whether the charge has been below that since, or has not fallen for `silentMs` on battery. */
  readonly gauge: 'unproven' | 'falls' | 'silent';
  /** Since when every reading has shown it again; null while the last one shows less. */
  readonly fullSinceMs: number | null;
}

export const noBatteryTime: BatteryTime = {
  sumMs: 0,
  sinceMs: 0,
  use: 'rests',
  fullPercent: null,
  gauge: 'unproven',
  fullSinceMs: null,
};

/** The sum at `nowMs`. */
export function batteryTimeMs({ sumMs, sinceMs, use }: BatteryTime, nowMs: number): number {
  const passedMs = Math.max(0, nowMs - sinceMs);
  if (use === 'gives') return sumMs + passedMs;
  return use === 'charges' ? Math.max(0, sumMs - passedMs / rechargeFactor) : sumMs;
}

/** With what the battery gave before a reading showed it, or without what it has not given (below 0). */
export function withTimeBefore(time: BatteryTime, givenMs: number, nowMs: number): BatteryTime {
  if (givenMs === 0) return time;
  return { ...time, sumMs: Math.max(0, batteryTimeMs(time, nowMs) + givenMs), sinceMs: nowMs };
}

/**
 * After a good reading; `percent`: a charge that is not in doubt. `shownMs`: the longest time for which its driver shows a value
 * that it has read; what is shown after that was measured meanwhile. What the reading shows is no younger than `askedMs`, however late
 * it is handled.
 */
export function batteryTimeAfter(
  before: BatteryTime,
  use: BatteryUse,
  percent: number | null,
  shownMs: () => number,
  nowMs: number,
  askedMs: number,
): BatteryTime {
  const time =
    use === before.use
      ? before
      : {
          ...before,
          sumMs: batteryTimeMs(before, askedMs),
          sinceMs: Math.max(askedMs, before.sinceMs),
          use,
        };
  if (use !== 'gives' && batteryTimeMs(time, askedMs) === 0) return unused(time, percent);
  const charged = afterCharge(time, percent, nowMs, askedMs);
  return use === 'charges' ? afterRecharge(charged, shownMs(), askedMs) : charged;
}

function unused(time: BatteryTime, percent: number | null): BatteryTime {
  const fullPercent = percent !== null && percent > 0 ? percent : time.fullPercent;
  return reuseUnchanged(time, { ...time, sumMs: 0, fullPercent, gauge: 'unproven', fullSinceMs: null });
}

function afterCharge(time: BatteryTime, percent: number | null, nowMs: number, askedMs: number): BatteryTime {
  if (percent === null) return time;
  const fullPercent = time.fullPercent ?? percent;
  const isFull = percent > 0 && percent >= fullPercent;
  const fullSinceMs = isFull ? (time.fullSinceMs ?? nowMs) : null;
  const isSilent =
    time.use === 'gives' && time.gauge === 'unproven' && batteryTimeMs(time, askedMs) > silentMs;
  const gauge = !isFull ? 'falls' : isSilent ? 'silent' : time.gauge;
  return reuseUnchanged(time, { ...time, fullPercent, gauge, fullSinceMs });
}

/** With a charge that is back, what the battery gave before it was measured is not missing. */
function afterRecharge(time: BatteryTime, shownMs: number, askedMs: number): BatteryTime {
  const sumMs = batteryTimeMs(time, askedMs);
  const isMeasured = time.fullSinceMs !== null && askedMs - time.fullSinceMs > shownMs;
  if (!isMeasured || time.gauge === 'silent') return time;
  const chargedMs = askedMs - time.sinceMs;
  if (chargedMs > shownMs) return { ...time, sumMs: 0 };
  return sumMs <= shownMs ? time : { ...time, sumMs: shownMs + chargedMs / rechargeFactor };
}

/** For what a snapshot serves: without a sum, the charge of a battery that charges may be older. */
export function sameBatteryTime(a: BatteryTime, b: BatteryTime): boolean {
  return a === b || (a.use === b.use && a.sumMs === 0 && b.sumMs === 0 && a.use !== 'gives');
}
