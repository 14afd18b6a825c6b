// The physics of a battery: discharge by Peukert's law, and recharge on line power.

export interface BatterySpec {
  /** From full to empty at 100 % load, in ms. */
  readonly fullLoadMs: number;
  /** Peukert's exponent: 1 is ideal, a lead battery has 1.1 to 1.3. */
  readonly peukert: number;
  /** From empty to full on line power, in ms. */
  readonly rechargeMs: number;
  readonly startPercent: number;
}

/** Minimum load in percent: a UPS consumes power even without a load. */
const leastLoad = 0.02;

export class Battery {
  readonly #spec: BatterySpec;
  #percent: number;
  #perMs = 0;
  #sinceMs = 0;

  constructor(spec: BatterySpec) {
    this.#spec = spec;
    this.#percent = spec.startPercent;
  }

  /** From now on it discharges or recharges. */
  connect(nowMs: number, carries: boolean, loadPercent: number): void {
    this.#percent = this.percentAt(nowMs);
    this.#sinceMs = nowMs;
    this.#perMs = carries ? -this.drainPerMs(loadPercent) : 100 / this.#spec.rechargeMs;
  }

  percentAt(nowMs: number): number {
    return Math.min(100, Math.max(0, this.#percent + this.#perMs * (nowMs - this.#sinceMs)));
  }

  /** Remaining runtime at `loadPercent`, in ms. */
  remainingMs(nowMs: number, loadPercent: number): number {
    return this.percentAt(nowMs) / this.drainPerMs(loadPercent);
  }

  /** Percentage points per ms at this load. */
  drainPerMs(loadPercent: number): number {
    const load = Math.max(leastLoad, loadPercent / 100);
    return (100 / this.#spec.fullLoadMs) * load ** this.#spec.peukert;
  }
}
