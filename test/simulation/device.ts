// The true state of a UPS: mains, battery, output. firmware.ts decides what it reports.
import { Battery } from './battery.js';
import type { UpsSpec } from './scenario.js';

/** A line-interactive UPS transfers to battery outside of `carriesWithin`, and boosts or trims outside of the inner range. */
const carriesWithin = { least: 0.75, most: 1.2 };
const correctsOutside = { least: 0.9, most: 1.1 };

export type Exercise = 'test' | 'calibration';

export class Device {
  readonly spec: UpsSpec;
  readonly battery: Battery;
  volts: number;
  loadPercent: number;
  /** The output is on: it feeds the load while there is power. */
  outputOn = true;
  /** A forced shutdown is demanded. */
  demanded = false;
  exercise: Exercise | null = null;
  /** World times. Only a failure of the mains is an outage; a battery test is none. */
  outageSinceMs: number | null = null;
  lastOutageMs = -Infinity;
  lastDemandMs = -Infinity;
  lastOutputOffMs = -Infinity;
  exerciseSinceMs: number | null = null;
  lastExerciseMs = -Infinity;
  #empty = false;

  constructor(spec: UpsSpec) {
    this.spec = spec;
    this.battery = new Battery(spec.battery);
    this.volts = spec.nominalVolts;
    this.loadPercent = spec.loadPercent;
    this.battery.connect(0, false, spec.loadPercent);
  }

  get mainsCarry(): boolean {
    const part = this.volts / this.spec.nominalVolts;
    return part >= carriesWithin.least && part <= carriesWithin.most;
  }

  get onBattery(): boolean {
    return !this.mainsCarry || this.exercise !== null;
  }

  get dead(): boolean {
    return this.#empty;
  }

  get feeds(): boolean {
    return this.outputOn && !this.#empty;
  }

  get correction(): 'BOOST' | 'TRIM' | null {
    const part = this.volts / this.spec.nominalVolts;
    if (!this.mainsCarry) return null;
    return part < correctsOutside.least ? 'BOOST' : part > correctsOutside.most ? 'TRIM' : null;
  }

  setMains(nowMs: number, volts: number): void {
    this.volts = volts;
    if (this.mainsCarry) {
      if (this.outageSinceMs !== null) this.lastOutageMs = nowMs;
      this.outageSinceMs = null;
      this.#empty = false;
    } else {
      this.outageSinceMs ??= nowMs;
      // An outage ends a battery test or calibration.
      this.setExercise(nowMs, null);
    }
    this.#reconnect(nowMs);
  }

  setLoad(nowMs: number, percent: number): void {
    this.loadPercent = percent;
    this.#reconnect(nowMs);
  }

  setExercise(nowMs: number, exercise: Exercise | null): void {
    if (exercise !== null && (!this.mainsCarry || this.#empty)) return;
    if (this.exercise !== null) this.lastExerciseMs = nowMs;
    this.exercise = exercise;
    this.exerciseSinceMs = exercise === null ? null : nowMs;
    this.#reconnect(nowMs);
  }

  setDemand(nowMs: number, on: boolean): void {
    if (!on && this.demanded) this.lastDemandMs = nowMs;
    this.demanded = on;
  }

  setOutput(nowMs: number, on: boolean): void {
    if (on && !this.outputOn) this.lastOutputOffMs = nowMs;
    this.outputOn = on;
  }

  /** When the battery will be empty at the present load; Infinity while it charges. */
  emptyAtMs(nowMs: number): number {
    return this.onBattery ? nowMs + this.battery.remainingMs(nowMs, this.loadPercent) : Infinity;
  }

  /** Call when the battery may be empty; true if it is and nothing else feeds the load. */
  ranDown(nowMs: number): boolean {
    if (this.#empty || !this.onBattery || this.battery.percentAt(nowMs) > 0.001) return false;
    if (this.mainsCarry) {
      // The test found what it was looking for: back to the mains.
      this.setExercise(nowMs, null);
      return false;
    }
    this.#empty = true;
    return true;
  }

  #reconnect(nowMs: number): void {
    this.battery.connect(nowMs, this.onBattery, this.loadPercent);
  }
}
