// The energy that storage has counted for each UPS, with its cost, for the API and the metrics.
import type { Energy } from '../../shared/domain/ups/energy.js';
import { flagsOfEstimate } from '../../shared/domain/ups/energy.js';
import type { EnergyCounted } from '../../shared/protocol/energy-counted.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Configuration } from '../config/configuration/configuration.js';

/** Storage counts once a minute. While the database cannot be written it does not, and "today" ends meanwhile. */
const maxAgeMs = 300_000;

export class EnergyTotals {
  readonly #clock: Clock;
  readonly #settings: () => Configuration['energy'];
  #byUps: ReadonlyMap<string, EnergyCounted['ups'][number]> = new Map();
  #countedAtMs = 0;

  constructor(clock: Clock, settings: () => Configuration['energy']) {
    this.#clock = clock;
    this.#settings = settings;
  }

  counted({ ups }: EnergyCounted): void {
    this.#byUps = new Map(ups.map((totals) => [totals.groupId, totals]));
    this.#countedAtMs = this.#clock.monotonicMs();
  }

  /** Null while unknown or off. The cost is at the present price. */
  of(groupId: string): Energy | null {
    const { enabled, costPerKwh, currency } = this.#settings();
    const counted = this.#byUps.get(groupId);
    if (!enabled || counted === undefined) return null;
    const { todayKwh, monthKwh, yearKwh, totalKwh, estimated, partial } = counted;
    const isOld = this.#clock.monotonicMs() - this.#countedAtMs > maxAgeMs;
    return {
      todayKwh: isOld ? null : roundEnergy(todayKwh),
      monthKwh: isOld ? null : roundEnergy(monthKwh),
      yearKwh: isOld ? null : roundEnergy(yearKwh),
      totalKwh: roundEnergy(totalKwh),
      currency,
      ...flagsOfEstimate(estimated),
      partial,
      ...(costPerKwh > 0 &&
        !isOld && {
          todayCost: roundEnergy(todayKwh * costPerKwh),
          monthCost: roundEnergy(monthKwh * costPerKwh),
          yearCost: roundEnergy(yearKwh * costPerKwh),
        }),
    };
  }
}

/** 0.0001 kWh: a tenth of a watt-hour. */
function roundEnergy(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
