// Calibration and self test: the UPS runs on battery on purpose, and low readings are expected. The maximum times for
// which triggers wait; each trigger's definition says which test inhibits it.
import type { BatteryTriggerName } from '../../../shared/domain/triggers/table.js';
import { batteryTriggerNamed } from '../../../shared/domain/triggers/table.js';
import { unreachable } from '../../../shared/domain/base/unreachable.js';
import { reuseUnchanged } from '../base/comparison.js';

/** How long the triggers wait for each kind of test at most. */
export const batteryTestLimits = {
  /** A self test takes seconds to a few minutes; a word that stays longer is a firmware bug. */
  'self-test': 15 * 60_000,
  /** A calibration discharges the battery at its normal load, which takes hours with an extended pack. */
  calibration: 4 * 60 * 60_000,
};
export type BatteryTestKind = keyof typeof batteryTestLimits;
const testLimitMs = batteryTestLimits['self-test'];
/** A calibration ends at the low-battery mark and returns to line power; LB that stays longer is real. */
export const calibrationLowBatteryMs = 60_000;

/** Since when each condition has held (monotonic ms); null while it does not. */
export interface Inhibits {
  readonly testMs: number | null;
  readonly calibrationMs: number | null;
  /** A test that this daemon started. */
  readonly ownTestMs: number | null;
  /** LB together with CAL. */
  readonly calibrationLowMs: number | null;
  /** While a condition holds, the last good readings in a row without its word. */
  readonly withoutTest: number;
  readonly withoutCalibration: number;
}

const noWord = { sinceMs: null, without: 0 };

export const noInhibits: Inhibits = {
  testMs: null,
  calibrationMs: null,
  ownTestMs: null,
  calibrationLowMs: null,
  withoutTest: noWord.without,
  withoutCalibration: noWord.without,
};

/** A word is gone after `confirmations` good readings in a row without it: one garbled status ends no test. */
export function inhibitsAfterStatus(
  inhibits: Inhibits,
  words: readonly string[],
  confirmations: number,
  nowMs: number,
): Inhibits {
  const after = (word: string, sinceMs: number | null, without: number) => {
    if (words.includes(word)) return { sinceMs: sinceMs ?? nowMs, without: 0 };
    const isGone = sinceMs === null || without + 1 >= confirmations;
    return isGone ? noWord : { sinceMs, without: without + 1 };
  };
  const test = after('TEST', inhibits.testMs, inhibits.withoutTest);
  const calibration = after('CAL', inhibits.calibrationMs, inhibits.withoutCalibration);
  const isLow = calibration.sinceMs !== null && words.includes('LB');
  return reuseUnchanged(inhibits, {
    ...inhibits,
    testMs: test.sinceMs,
    calibrationMs: calibration.sinceMs,
    calibrationLowMs: since(inhibits.calibrationLowMs, isLow, nowMs),
    withoutTest: test.without,
    withoutCalibration: calibration.without,
  });
}

export function inhibitsAfterOwnTest(inhibits: Inhibits, running: boolean, nowMs: number): Inhibits {
  return { ...inhibits, ownTestMs: since(inhibits.ownTestMs, running, nowMs) };
}

/**
 * Why `trigger` is inhibited now; null when it is not. Bounded in time: a stuck status word inhibits nothing for ever.
 */
export function inhibitedBy(
  inhibits: Inhibits,
  trigger: BatteryTriggerName,
  nowMs: number,
): BatteryTestKind | null {
  const by = batteryTriggerNamed[trigger].inhibit;
  switch (by) {
    case 'battery test':
      if (within(inhibits.calibrationMs, batteryTestLimits.calibration, nowMs)) return 'calibration';
      return within(inhibits.testMs, testLimitMs, nowMs) || within(inhibits.ownTestMs, testLimitMs, nowMs)
        ? 'self-test'
        : null;
    case 'calibration at LB':
      return within(inhibits.calibrationLowMs, calibrationLowBatteryMs, nowMs) ? 'calibration' : null;
    default:
      return unreachable(by);
  }
}

/** Why the UPS is on battery, for the text of ON_BATTERY; null for an outage. */
export function batteryTestKind(inhibits: Inhibits): BatteryTestKind | null {
  if (inhibits.calibrationMs !== null) return 'calibration';
  return inhibits.testMs !== null || inhibits.ownTestMs !== null ? 'self-test' : null;
}

function since(before: number | null, present: boolean, nowMs: number): number | null {
  return present ? (before ?? nowMs) : null;
}

function within(sinceMs: number | null, limitMs: number, nowMs: number): boolean {
  return sinceMs !== null && nowMs - sinceMs < limitMs;
}
