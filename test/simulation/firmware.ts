// What a UPS reports: its true state, as far as its firmware measures and reports it.
import type { Reading } from '../../shared/domain/reading.js';
import type { PollOutcome } from '../../supervisor/policy/inputs.js';
import type { Device } from './device.js';
import type { Firmware, Glitch } from './scenario.js';

export class Reporter {
  readonly #device: Device;
  #firmware: Firmware;
  #glitch: Glitch | null = null;
  #stuckPercent: number | null = null;
  #exerciseShown: 'TEST' | 'CAL' | null = null;
  /** World times of the last transfers, for firmware that reports them late. */
  #transferredMs = -Infinity;
  #wasOnBattery = false;

  constructor(device: Device) {
    this.#device = device;
    this.#firmware = device.spec.firmware;
  }

  change(nowMs: number, change: Partial<Firmware>): void {
    this.#firmware = { ...this.#firmware, ...change };
    this.#stuckPercent = this.#firmware.stuckCharge ? this.#percent(nowMs) : null;
    if (!this.#firmware.stuckExercise && this.#device.exercise === null) this.#exerciseShown = null;
  }

  /** The next answer is wrong in this way. */
  glitch(glitch: Glitch): void {
    this.#glitch = glitch;
  }

  /** Call whenever the device may have transferred. */
  transferred(nowMs: number): void {
    const { onBattery, exercise } = this.#device;
    if (onBattery !== this.#wasOnBattery) this.#transferredMs = nowMs;
    this.#wasOnBattery = onBattery;
    if (exercise !== null) this.#exerciseShown = exercise === 'test' ? 'TEST' : 'CAL';
    else if (!this.#firmware.stuckExercise) this.#exerciseShown = null;
  }

  /** The answer to a poll; null from a UPS that is off. */
  answer(nowMs: number): PollOutcome | null {
    if (this.#device.dead) return null;
    const glitch = this.#glitch;
    this.#glitch = null;
    const honest = this.#reading(nowMs);
    if (glitch === null) return outcomeOf(honest);
    const { words, ...values } = glitch;
    return outcomeOf({ ...honest, ...values, status: words ?? honest.status });
  }

  #reading(nowMs: number): Reading {
    const { saysCharge, saysRuntime, saysVolts, zeroOnLine } = this.#firmware;
    const onBattery = this.#saysOnBattery(nowMs);
    const zero = zeroOnLine && !onBattery;
    return {
      status: this.#words(nowMs, onBattery),
      chargePercent: !saysCharge ? null : zero ? 0 : (this.#stuckPercent ?? this.#percent(nowMs)),
      runtimeSeconds: !saysRuntime ? null : zero ? 0 : this.#runtimeSeconds(nowMs),
      loadPercent: Math.round(this.#device.loadPercent),
      inputVolts: saysVolts ? Math.round(this.#device.volts * 10) / 10 : null,
      outputVolts: null,
      batteryVolts: null,
      inputHertz: null,
      outputHertz: null,
      temperatureCelsius: null,
      nominalVolts: saysVolts ? this.#device.spec.nominalVolts : null,
      realPowerWatts: null,
    };
  }

  #saysOnBattery(nowMs: number): boolean {
    const { onBattery } = this.#device;
    return nowMs - this.#transferredMs < this.#firmware.lagMs ? !onBattery : onBattery;
  }

  #words(nowMs: number, onBattery: boolean): readonly string[] {
    const device = this.#device;
    const { batteryWords, lineWords } = this.#firmware;
    const words: string[] = [];
    const percent = device.battery.percentAt(nowMs);
    if (device.demanded) words.push('FSD');
    if (device.outputOn || onBattery) words.push(...(onBattery ? batteryWords : lineWords));
    if (!device.outputOn && !words.includes('OFF')) words.push('OFF');
    if (onBattery) words.push('DISCHRG');
    else if (percent < 100) words.push('CHRG');
    if (onBattery && percent < this.#firmware.lowFlagPercent) words.push('LB');
    if (device.correction !== null && !onBattery) words.push(device.correction);
    if (device.loadPercent > 100) words.push('OVER');
    if (this.#exerciseShown !== null && this.#firmware.showsExercise) words.push(this.#exerciseShown);
    return [...words, ...this.#firmware.words];
  }

  #percent(nowMs: number): number {
    const { chargeStep } = this.#firmware;
    return Math.floor(this.#device.battery.percentAt(nowMs) / chargeStep) * chargeStep;
  }

  #runtimeSeconds(nowMs: number): number {
    const { battery, loadPercent } = this.#device;
    return Math.round((battery.remainingMs(nowMs, loadPercent) / 1000) * this.#firmware.runtimeFactor);
  }
}

function outcomeOf(reading: Reading): PollOutcome {
  return { kind: 'reading', reading, variables: {} };
}
