// One UPS with its load and battery, and what is true of it: energy by local day, what each discharge took from the battery.
import { metrics } from '../../shared/domain/status/metrics.js';
import type { SampleRecord } from '../../shared/protocol/storage.js';
import type { Random } from '../simulation/random.js';

export interface UnitOptions {
  readonly groupId: string;
  readonly nominalWatts: number;
  /** The UPS reports its real power; else it is computed from a load in whole percent. */
  readonly isMeasured: boolean;
  /** Of the battery in use against a new one, at a true time. */
  readonly capacity: (trueAt: number) => number;
  readonly watts: (trueAt: number) => number;
  /** What it reports as the date of its battery. */
  readonly batteryDate?: (trueAt: number) => string;
}

const rechargeSeconds = 6 * 3600;
/** Points of a second or more between two samples at which the true power is taken. */
const pieces = 8;

/** Seconds that a new battery carries a load: Peukert. */
export function newRuntime(loadPercent: number): number {
  return 3600 * (20 / loadPercent) ** 1.2;
}

export class UnitLife {
  readonly options: UnitOptions;
  /** kWh by local day of the daemon's clock, YYYY-MM-DD, of the time between samples that counts. */
  readonly kwhByDay = new Map<string, number>();
  charge = 100;
  readonly #random: Random;
  #lastAt: number | null = null;

  constructor(options: UnitOptions, random: Random) {
    this.options = options;
    this.#random = random;
  }

  loadPercent(trueAt: number): number {
    return (100 * this.options.watts(trueAt)) / this.options.nominalWatts;
  }

  /** Seconds from full to empty now. */
  fullRuntime(trueAt: number): number {
    return newRuntime(this.loadPercent(trueAt)) * this.options.capacity(trueAt);
  }

  /** Moves the battery on by `seconds`. */
  pass(trueAt: number, seconds: number, isOnBattery: boolean): void {
    const change = isOnBattery
      ? (-100 * seconds) / this.fullRuntime(trueAt)
      : (100 * seconds) / rechargeSeconds;
    this.charge = Math.min(100, Math.max(0, this.charge + change));
  }

  /** The energy from the last sample to this one counts. */
  count(trueAt: number, wallAt: number): void {
    const from = this.#lastAt;
    this.#lastAt = trueAt;
    if (from === null) return;
    const step = (trueAt - from) / pieces;
    for (let piece = 0; piece < pieces; piece += 1) {
      const middle = from + (piece + 0.5) * step;
      const day = dateOf(wallAt - (trueAt - middle));
      const kwh = (this.options.watts(middle) * step) / 3_600_000;
      this.kwhByDay.set(day, (this.kwhByDay.get(day) ?? 0) + kwh);
    }
  }

  /** The time up to the next sample does not count. */
  startAfterGap(): void {
    this.#lastAt = null;
  }

  sample(trueAt: number, wallAt: number, status: string): SampleRecord {
    const { groupId, nominalWatts, isMeasured, batteryDate } = this.options;
    const isOnBattery = status.startsWith('OB');
    const watts = this.options.watts(trueAt) * this.#jitter(0.01);
    const load = Math.round((1000 * watts) / nominalWatts) / 10;
    const reportedLoad = isMeasured ? load : Math.round(load);
    const known: Readonly<Record<string, number>> = {
      charge: Math.round(this.charge),
      runtime: Math.round(this.fullRuntime(trueAt) * (this.charge / 100) * this.#jitter(0.02)),
      load: reportedLoad,
      voltage: isOnBattery ? 0 : 230 + 4 * Math.sin(trueAt / 20_000) + this.#random.between(-1, 1),
      output_voltage: 230,
      battery_voltage: isOnBattery ? 22 + (3 * this.charge) / 100 : 27.3,
      ...(isMeasured && { real_power: Math.round(watts) }),
    };
    return {
      groupId,
      at: wallAt,
      values: metrics.map(({ name }) => known[name] ?? null),
      power: isMeasured
        ? { watts: Math.round(watts), estimated: 0 }
        : { watts: (reportedLoad / 100) * nominalWatts, estimated: 1 },
      status,
      ...(batteryDate !== undefined && { batteryDate: batteryDate(trueAt) }),
    };
  }

  #jitter(share: number): number {
    return 1 + this.#random.between(-share, share);
  }
}

const dates = new Map<number, string>();
/** By time zone: each takes a tenth of a millisecond to make, and two years have 70,000 quarters of an hour. */
const formats = new Map<string | undefined, Intl.DateTimeFormat>();

/** YYYY-MM-DD in local time, without the product's calendar. No time zone changes its date within a quarter of an hour. */
export function dateOf(unixSeconds: number): string {
  const quarter = Math.floor(unixSeconds / 900);
  const known = dates.get(quarter);
  if (known !== undefined) return known;
  const timeZone = process.env['TZ'];
  const format = formats.get(timeZone) ?? new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeZone });
  formats.set(timeZone, format);
  const date = format.format(unixSeconds * 1000);
  dates.set(quarter, date);
  return date;
}
