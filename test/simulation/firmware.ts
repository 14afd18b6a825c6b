// What a UPS reports: its true state, as far as its firmware measures and reports it.
import type { Reading, Variables } from '../../shared/domain/ups/reading.js';
import type { PollOutcome } from '../../supervisor/policy/base/inputs.js';
import type { Device } from './device.js';
import type { BatteryTruth } from './truth.js';
import type { Driver, Firmware, Glitch, WorldEvent } from './scenario.js';

export class Reporter {
  readonly #device: Device;
  #firmware: Firmware;
  /** Of the next sample of the words, and of the values. */
  #wordGlitch: Glitch | null = null;
  #valueGlitch: Glitch | null = null;
  #sample: Reading | null = null;
  #valuesReadMs = -Infinity;
  #reads = 0;
  /** Samples with a wrong charge or runtime, up to the one that is shown, since the last one that had both right. */
  #wrongSamples = 0;
  #statusReadMs = -Infinity;
  #stuckPercent: number | null = null;
  #exerciseShown: 'TEST' | 'CAL' | null = null;
  /** World times of the last transfers, for firmware that reports them late. */
  #transferredMs = -Infinity;
  #wasOnBattery = false;

  constructor(device: Device) {
    this.#device = device;
    this.#firmware = device.spec.firmware;
  }

  perform(nowMs: number, event: Extract<WorldEvent, { kind: 'glitch' | 'firmware' }>): void {
    if (event.kind === 'glitch') this.#glitch(event.glitch);
    else this.#change(nowMs, event.change);
  }

  #change(nowMs: number, change: Partial<Firmware>): void {
    this.#firmware = { ...this.#firmware, ...change };
    this.#stuckPercent = this.#firmware.stuckCharge ? this.#percent(nowMs) : null;
    if (!this.#firmware.stuckExercise && this.#device.exercise === null) this.#exerciseShown = null;
  }

  /** The next answer is wrong in this way. */
  #glitch(glitch: Glitch): void {
    this.#wordGlitch = glitch;
    this.#valueGlitch = glitch;
  }

  /** Call whenever the device may have transferred. */
  transferred(nowMs: number): void {
    const { onBattery, exercise } = this.#device;
    if (onBattery !== this.#wasOnBattery) this.#transferredMs = nowMs;
    this.#wasOnBattery = onBattery;
    if (exercise !== null) this.#exerciseShown = exercise === 'test' ? 'TEST' : 'CAL';
    else if (!this.#firmware.stuckExercise) this.#exerciseShown = null;
  }

  /** What its gauges show at this moment, at every read of the device, with a source that is right. */
  battery(nowMs: number): BatteryTruth {
    const { battery, onBattery, loadPercent } = this.#device;
    const { saysCharge, saysRuntime, lowFlagPercent } = this.#firmware;
    return {
      chargePercent: saysCharge ? (this.#stuckPercent ?? this.#percent(nowMs)) : null,
      runtimeSeconds: saysRuntime ? this.#runtimeSeconds(nowMs) : null,
      isLow: battery.percentAt(nowMs) < lowFlagPercent,
      drainPerMinute: onBattery ? battery.drainPerMs(loadPercent) * 60_000 : 0,
      wrongSamples: this.#wrongSamples,
    };
  }

  /** The answer to a poll; null from a UPS that is off. */
  answer(nowMs: number): PollOutcome | null {
    if (this.#device.dead) return null;
    const { driver } = this.#device.spec;
    const honest = this.#reading(nowMs);
    const before = this.#sample;
    let { status, ...values } = before ?? honest;
    if (before === null || isDue(this.#statusReadMs, driver.statusMs, nowMs)) {
      this.#statusReadMs = readAt(this.#statusReadMs, driver.statusMs, nowMs);
      status = this.#wordGlitch?.words ?? honest.status;
      this.#wordGlitch = null;
    }
    const valuesMs = driver.valuesMs + Math.floor((driver.lateMs * (this.#reads % 4)) / 3);
    if (before === null || isDue(this.#valuesReadMs, valuesMs, nowMs)) {
      this.#valuesReadMs = readAt(this.#valuesReadMs, valuesMs, nowMs);
      this.#reads += 1;
      const { words, ...wrong } = this.#valueGlitch ?? { words: null };
      void words;
      if (Object.keys(wrong).length > 0) this.#wrongSamples += 1;
      else if (honest.chargePercent !== null && honest.runtimeSeconds !== null) this.#wrongSamples = 0;
      values = { ...honest, ...wrong };
      this.#valueGlitch = null;
    }
    this.#sample = { ...values, status };
    const variables = { ...driverVariables(driver), ...packVariables(this.#sample) };
    return { kind: 'reading', reading: this.#sample, variables };
  }

  #reading(nowMs: number): Reading {
    const { saysCharge, saysRuntime, saysVolts, saysPack, zeroOnLine, hasGauge } = this.#firmware;
    const onBattery = this.#saysOnBattery(nowMs);
    const zero = !hasGauge || (zeroOnLine && !onBattery);
    return {
      status: this.#words(nowMs, onBattery),
      chargePercent: !saysCharge ? null : zero ? 0 : (this.#stuckPercent ?? this.#percent(nowMs)),
      runtimeSeconds: !saysRuntime ? null : zero ? 0 : this.#runtimeSeconds(nowMs),
      loadPercent: Math.round(this.#device.loadPercent),
      inputVolts: saysVolts ? Math.round(this.#device.volts * 10) / 10 : null,
      outputVolts: null,
      batteryVolts: saysPack ? this.#packVolts(nowMs, onBattery) : null,
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
    const { batteryWords, lineWords, namesLineWhenOff, saysDischarge } = this.#firmware;
    const words: string[] = [];
    const percent = device.battery.percentAt(nowMs);
    if (device.demanded) words.push('FSD');
    if (device.outputOn || onBattery || namesLineWhenOff)
      words.push(...(onBattery ? batteryWords : lineWords));
    if (!device.outputOn && !words.includes('OFF')) words.push('OFF');
    if (onBattery && saysDischarge) words.push('DISCHRG');
    else if (!onBattery && percent < 100) words.push('CHRG');
    if (onBattery && percent < this.#firmware.lowFlagPercent) words.push('LB');
    if (device.correction !== null && !onBattery) words.push(device.correction);
    if (device.loadPercent > 100) words.push('OVER');
    if (this.#exerciseShown !== null && this.#firmware.showsExercise) words.push(this.#exerciseShown);
    return [...words, ...this.#firmware.words];
  }

  /** A lead battery under load is at nominal with about a third of its charge. */
  #packVolts(nowMs: number, onBattery: boolean): number {
    if (!onBattery) return 27.2;
    return Math.round((22.6 + 0.04 * this.#device.battery.percentAt(nowMs)) * 10) / 10;
  }

  #percent(nowMs: number): number {
    const { chargeStep } = this.#firmware;
    return Math.floor(this.#device.battery.percentAt(nowMs) / chargeStep) * chargeStep;
  }

  #runtimeSeconds(nowMs: number): number {
    const { battery, loadPercent } = this.#device;
    const { runtimeFactor, runtimeStep } = this.#firmware;
    const seconds = Math.round((battery.remainingMs(nowMs, loadPercent) / 1000) * runtimeFactor);
    return Math.floor(seconds / runtimeStep) * runtimeStep;
  }
}

const packVariables = ({ batteryVolts }: Reading): Variables =>
  batteryVolts === null ? {} : { 'battery.voltage': String(batteryVolts), 'battery.voltage.nominal': '24' };

const isDue = (lastMs: number, everyMs: number, nowMs: number): boolean => nowMs - lastMs >= everyMs;

/** A driver keeps its pace, however late the poll that sees the sample. */
function readAt(lastMs: number, everyMs: number, nowMs: number): number {
  if (everyMs === 0 || lastMs === -Infinity) return nowMs;
  return nowMs - ((nowMs - lastMs) % everyMs);
}

export function driverVariables({ name, valuesMs, statusMs, showsValues, showsStatus }: Driver): Variables {
  return {
    ...(name === '' ? {} : { 'driver.name': name }),
    ...(showsValues ? { 'driver.parameter.pollfreq': String(valuesMs / 1000) } : {}),
    ...(showsStatus ? { 'driver.parameter.pollinterval': String(statusMs / 1000) } : {}),
  };
}
