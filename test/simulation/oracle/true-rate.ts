// The rate of the true battery in an outage, and how much faster a daemon may measure it: it reads a fall later than it was.
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import type { BatteryTruth } from '../truth.js';
import type { Driver } from '../scenario.js';

export interface TrueRate {
  /** The fastest so far. */
  readonly perMinute: number;
  /**
   * World time of the last answer with a charge, or before the battery lost any, and the longest time from one to the next, or in
   * which the gauge stood still and fell by more than a step at once; infinite after an absence of the daemon.
   */
  readonly atMs: number;
  readonly gapMs: number;
  /** The charge of the last answer, and since when. */
  readonly shown: number | null;
  readonly shownMs: number;
  /** A sample was above the battery: "a charge that rises takes back the falls to below it", and they are newer when they show again. */
  readonly wasHigh: boolean;
  /** Wrong samples in this outage, and those that the last answer counted. */
  readonly wrong: number;
  readonly counted: number;
}

export const noRate: TrueRate = {
  perMinute: 0,
  atMs: Infinity,
  gapMs: 0,
  shown: null,
  shownMs: Infinity,
  wasHigh: false,
  wrong: 0,
  counted: 0,
};

/** `shown`: the charge of the answer; `step`: of the gauge. */
export function rateAfter(
  before: TrueRate,
  shown: number | null,
  step: number,
  truth: BatteryTruth,
  atMs: number,
): TrueRate {
  const isLeap = (before.shown ?? 0) - (shown ?? Infinity) > step;
  const stoodMs = isLeap ? atMs - before.shownMs : 0;
  const isShown = shown !== null && shown > 0;
  const isHigh = truth.wrongSamples > 0 && (shown ?? 0) > (truth.chargePercent ?? 0);
  return {
    perMinute: Math.max(before.perMinute, truth.drainPerMinute),
    atMs: isShown || truth.drainPerMinute === 0 ? atMs : before.atMs,
    gapMs: isShown ? Math.max(before.gapMs, atMs - before.atMs, stoodMs) : before.gapMs,
    shown,
    shownMs: shown === before.shown ? Math.min(before.shownMs, atMs) : atMs,
    wasHigh: before.wasHigh || isHigh,
    wrong: before.wrong + Math.max(0, truth.wrongSamples - before.counted),
    counted: truth.wrongSamples,
  };
}

/**
 * "Once the first fall is as old as min(30, max(2, half of `depletion.window` / `check_interval`)) - 1 readings": in that time the
 * charge falls by as much as since the read that saw the first fall. Two wrong samples may be two falls.
 */
export function mayExceed(
  { perMinute, gapMs, wasHigh, wrong }: TrueRate,
  { checkIntervalMs, triggers: { depletion } }: UpsSettings,
  { valuesMs, lateMs }: Driver,
): boolean {
  const readings = Math.min(30, Math.max(2, Math.floor(depletion.windowMs / 2 / checkIntervalMs)));
  const leastMs = (readings - 1) * checkIntervalMs;
  const lateByMs = valuesMs + lateMs + gapMs;
  // Rounded to 2 decimals.
  return wasHigh || wrong > 1 || perMinute * (1 + lateByMs / leastMs) + 0.01 > depletion.criticalRate;
}
