// The physics of one line-interactive UPS: line, transfer, battery, output, tests, settings. Time comes in as steps;
// no clock, no sockets. The same seed and the same steps give the same readings.
import { BatteryTest } from './battery-test.js';
import { Battery } from './battery.js';
import type { StartCounts } from './output.js';
import { Output } from './output.js';
import { seededRandom } from './random.js';
import type { Rating } from './rating.js';
import type { Sensitivity } from './transfer.js';
import { Transfer } from './transfer.js';
import { factorySettings } from './variable-kinds.js';

/** The inputs of the UPS: line, load, temperature. Scenarios and tests change them. */
export interface Surroundings {
  /** 0 is an outage. */
  mainsVolts: number;
  mainsHertz: number;
  /** Share of the rated real power, percent; above 100 is an overload. */
  loadPercent: number;
  temperatureCelsius: number;
  /** The load on the line past the inverter, as for service. */
  bypass: boolean;
  /** What the driver shows instead of OB and OL, as some do in an outage: OFF, ALARM; null: it shows them. */
  sourceWord: string | null;
}

/** Settings of the battery: a swap, an old battery. */
export interface BatteryChange {
  readonly chargePercent?: number;
  readonly batteryHealthPercent?: number;
  readonly replaceBattery?: boolean;
}

/** One step of the physics, in seconds of the UPS: fine enough that a transfer is never late by a poll. */
export const stepSeconds = 0.5;
/** Mains wander and load jitter change as often as a usual driver polls (pollinterval 2). */
const stepsPerJitter = 4;
/** Peak deviation of the line voltage in volts, and of the load in points of percent. */
const lineWanderVolts = 1.2;
const loadJitterPercent = 0.8;
/** Load factor of office machines: real over apparent power. */
export const powerFactor = 0.9;

export class UpsModel {
  readonly surroundings: Surroundings;
  readonly battery: Battery;
  readonly transfer: Transfer;
  readonly output: Output;
  readonly test = new BatteryTest();
  readonly settings = new Map(Object.entries(factorySettings));
  beeper: 'enabled' | 'disabled' | 'muted' = 'enabled';
  readonly #random: () => number;
  #steps = 0;
  #wander = 0;
  #jitter = 0;

  /** With `noise` 0 readings are constant on a steady line. */
  constructor(
    readonly rating: Rating,
    seed: number,
    private readonly noise: 0 | 1,
    startCounts?: StartCounts,
  ) {
    this.output = new Output(startCounts);
    this.battery = new Battery(rating);
    this.transfer = new Transfer(rating.nominalVolts);
    this.#random = seededRandom(seed);
    this.surroundings = {
      mainsVolts: rating.nominalVolts,
      mainsHertz: rating.nominalHertz,
      loadPercent: 45,
      temperatureCelsius: 24,
      bypass: false,
      sourceWord: null,
    };
  }

  get inputVolts(): number {
    const { mainsVolts } = this.surroundings;
    return mainsVolts === 0 ? 0 : mainsVolts + this.#wander;
  }

  get loadPercent(): number {
    return this.output.on ? Math.max(0, this.surroundings.loadPercent + this.#jitter) : 0;
  }

  get loadWatts(): number {
    return (this.rating.realPowerWatts * this.loadPercent) / 100;
  }

  get discharging(): boolean {
    return this.output.on && (this.transfer.source === 'battery' || this.test.running !== undefined);
  }

  get charging(): boolean {
    return this.transfer.source === 'line' && !this.discharging && this.battery.chargePercent < 100;
  }

  get batteryLow(): boolean {
    return (
      this.battery.chargePercent < this.setting('battery.charge.low') ||
      (this.discharging && this.battery.runtimeSeconds(this.loadWatts) < this.setting('battery.runtime.low'))
    );
  }

  setting(name: string): number {
    return Number.parseInt(this.settings.get(name) ?? '0', 10);
  }

  /** Advances the model by one step. */
  step(): void {
    if (this.#steps % stepsPerJitter === 0) this.#shake();
    this.#steps += 1;
    this.#transfer(stepSeconds);
    this.test.advance(stepSeconds, this.battery);
    this.output.advance(stepSeconds, this.transfer.source === 'line', this.setting('ups.delay.start'));
    if (this.discharging) this.battery.discharge(this.loadWatts, stepSeconds);
    else if (this.charging) this.battery.recharge(stepSeconds);
    // Empty battery: the output switches off, and on again with line power.
    if (this.discharging && this.battery.chargePercent <= 0) this.output.switchOff('withLine');
  }

  /** Changes inputs or battery. The UPS reacts immediately: a transfer takes milliseconds. */
  change(world: Partial<Surroundings>, battery: BatteryChange = {}): void {
    Object.assign(this.surroundings, world);
    if (battery.chargePercent !== undefined) this.battery.chargePercent = battery.chargePercent;
    if (battery.batteryHealthPercent !== undefined) this.battery.health = battery.batteryHealthPercent / 100;
    if (battery.replaceBattery !== undefined) this.test.replaceBattery = battery.replaceBattery;
    this.#transfer(0);
  }

  #transfer(seconds: number): void {
    this.transfer.decide(
      this.inputVolts,
      {
        lowVolts: this.setting('input.transfer.low'),
        highVolts: this.setting('input.transfer.high'),
        sensitivity: (this.settings.get('input.sensitivity') ?? 'medium') as Sensitivity,
      },
      seconds,
    );
    if (this.transfer.source === 'battery') this.test.abort();
  }

  #shake(): void {
    if (this.noise === 0) return;
    this.#wander = this.#wander * 0.7 + (this.#random() - 0.5) * 2 * lineWanderVolts * 0.3;
    this.#jitter = this.#jitter * 0.7 + (this.#random() - 0.5) * 2 * loadJitterPercent * 0.3;
  }
}
