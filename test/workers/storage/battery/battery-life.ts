// The life of a battery whose truth is known, as samples: on line power one a ten minutes, on battery one a ten seconds.
import type { SampleRecord } from '../../../../shared/protocol/storage.js';
import { sampleOf } from '../fixture.js';

export const day = 86_400;

export interface LifeOptions {
  readonly groupId?: string;
  /** Capacity against a new battery at a time. */
  readonly capacity: (at: number) => number;
  /** Percent at a time. */
  readonly load?: (at: number) => number;
  readonly reportsRuntime?: boolean;
  readonly reportsCharge?: boolean;
  /** 0 to 1: of what the device reports. */
  readonly noise?: number;
  readonly seed?: number;
}

/** Seconds a new battery carries a load: Peukert. */
export function newRuntime(load: number): number {
  return 3600 * (20 / load) ** 1.2;
}

export class BatteryLife {
  readonly #options: LifeOptions;
  #charge = 100;
  #random: number;
  batteryDate: string | undefined;
  flags = '';

  constructor(options: LifeOptions) {
    this.#options = options;
    this.#random = options.seed ?? 1;
  }

  /** Line power: one sample in ten minutes; the battery recharges in six hours. */
  *line(from: number, until: number, step = 600): Iterable<SampleRecord> {
    for (let at = from; at < until; at += step) {
      this.#charge = Math.min(100, this.#charge + (100 * step) / (6 * 3600));
      yield this.#sample(at, this.#charge < 100 ? 'OL CHRG' : 'OL');
    }
  }

  /** An outage of `seconds`, or until `downTo` percent. */
  *battery(
    from: number,
    seconds: number,
    { downTo = 0, words = 'OB DISCHRG', step = 10 } = {},
  ): Iterable<SampleRecord> {
    for (let at = from; at < from + seconds && this.#charge > downTo; at += step) {
      yield this.#sample(at, words);
      const full = newRuntime(this.#load(at)) * this.#options.capacity(at);
      this.#charge = Math.max(0, this.#charge - (100 * step) / full);
    }
  }

  #load(at: number): number {
    return this.#options.load?.(at) ?? 20;
  }

  #sample(at: number, status: string): SampleRecord {
    const {
      groupId = 'office',
      capacity,
      reportsRuntime = true,
      reportsCharge = true,
      noise = 0.02,
    } = this.#options;
    const load = this.#load(at);
    const runtime = newRuntime(load) * capacity(at) * (this.#charge / 100) * (1 + noise * this.#noise());
    const isOnBattery = status.startsWith('OB');
    const volts = isOnBattery ? 22 + (this.#charge / 100) * 3 : 27.3;
    const watts = load * 10;
    return {
      ...sampleOf(groupId, at, {
        load: Math.max(1, load * (1 + noise * this.#noise())),
        battery_voltage: volts,
        ...(reportsRuntime && { runtime: Math.round(runtime) }),
        ...(reportsCharge && { charge: Math.round(this.#charge) }),
      }),
      power: { watts, estimated: 1 },
      status: this.flags === '' ? status : `${status} ${this.flags}`,
      ...(this.batteryDate !== undefined && { batteryDate: this.batteryDate }),
    };
  }

  /** Evenly from -1 to 1. */
  #noise(): number {
    this.#random = (this.#random * 16_807) % 2_147_483_647;
    return (this.#random / 2_147_483_647) * 2 - 1;
  }
}
