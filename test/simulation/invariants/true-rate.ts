// The rate of the true battery in an outage, and how much faster a daemon may measure it: it reads a fall later than it was.
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import type { Driver } from '../scenario.js';
import type { BatteryTruth } from '../truth.js';

export class TrueRate {
  /** The fastest so far. */
  #perMinute = 0;
  /** World time of the last answer with a charge, or before the battery lost any. */
  #atMs = Infinity;
  /** The longest time from one of these to the next, or in which the gauge stood still and fell by more than a step at once. */
  #gapMs = 0;
  /** The charge of the last answer, and since when. */
  #shown: number | null = null;
  #shownMs = Infinity;
  /** A sample was above the battery: "a charge that rises takes back the falls to below it", and they are newer when they show again. */
  #wasHigh = false;
  /** Wrong samples in this outage, and those that the last answer counted. */
  #wrong = 0;
  #counted = 0;

  /** `shown`: the charge of the answer; `step`: of the gauge. */
  answered(shown: number | null, step: number, truth: BatteryTruth, atMs: number): void {
    const isLeap = (this.#shown ?? 0) - (shown ?? Infinity) > step;
    const stoodMs = isLeap ? atMs - this.#shownMs : 0;
    this.#perMinute = Math.max(this.#perMinute, truth.drainPerMinute);
    const isShown = shown !== null && shown > 0;
    if (isShown) this.#gapMs = Math.max(this.#gapMs, atMs - this.#atMs, stoodMs);
    if (shown !== this.#shown || this.#shownMs === Infinity) this.#shownMs = atMs;
    this.#wasHigh ||= truth.wrongSamples > 0 && (shown ?? 0) > (truth.chargePercent ?? 0);
    this.#wrong += Math.max(0, truth.wrongSamples - this.#counted);
    this.#counted = truth.wrongSamples;
    if (isShown || truth.drainPerMinute === 0) this.#atMs = atMs;
    this.#shown = shown;
  }

  /** The daemon misses readings, and may forget some. */
  absent(): void {
    this.#gapMs = Infinity;
  }

  /**
   * "Once the first fall is as old as min(30, max(2, half of `depletion.window` / `check_interval`)) - 1 readings": in that time the
   * charge falls by as much as since the read that saw the first fall. Two wrong samples may be two falls.
   */
  mayExceed(
    { checkIntervalMs, triggers: { depletion } }: UpsSettings,
    { valuesMs, lateMs }: Driver,
  ): boolean {
    const readings = Math.min(30, Math.max(2, Math.floor(depletion.windowMs / 2 / checkIntervalMs)));
    const late = (valuesMs + lateMs + this.#gapMs) / ((readings - 1) * checkIntervalMs);
    // Rounded to 2 decimals.
    return this.#wasHigh || this.#wrong > 1 || this.#perMinute * (1 + late) + 0.01 > depletion.criticalRate;
  }
}
