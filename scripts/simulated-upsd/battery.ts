// A lead-acid battery: discharge under a load, charging, terminal voltage.
import type { Rating } from './rating.js';

/** Peukert's law: the capacity falls with the current; half the load lasts 2.4 times as long. */
const peukertExponent = 1.25;
/** The inverter's own consumption in watts. */
const inverterWatts = 15;
/** Above this the charger goes over from constant current to constant voltage. */
const absorptionPercent = 90;

export class Battery {
  chargePercent = 100;
  /** The remaining capacity relative to a new battery, 1 to 0. */
  health = 1;

  constructor(private readonly rating: Rating) {}

  /** Seconds this load can be carried from the present charge. */
  runtimeSeconds(loadWatts: number): number {
    return (this.chargePercent / 100) * this.#fullRuntimeSeconds(loadWatts);
  }

  discharge(loadWatts: number, seconds: number): void {
    const drained = (100 * seconds) / this.#fullRuntimeSeconds(loadWatts);
    this.chargePercent = Math.max(0, this.chargePercent - drained);
  }

  recharge(seconds: number): void {
    const bulkPerSecond = 110 / this.rating.rechargeSeconds;
    const missing = 100 - this.chargePercent;
    const taper =
      this.chargePercent < absorptionPercent ? 1 : Math.max(0.2, missing / (100 - absorptionPercent));
    this.chargePercent = Math.min(100, this.chargePercent + bulkPerSecond * taper * seconds);
  }

  /** Terminal voltage: it falls under load, more with an old battery, and is at float when charged. */
  volts(flow: 'charging' | 'resting' | 'discharging', loadWatts: number): number {
    const cells = this.rating.batteryVolts / 2;
    const open = cells * (1.95 + (0.18 * this.chargePercent) / 100);
    switch (flow) {
      case 'charging':
        return Math.min(open + cells * 0.14, cells * 2.275);
      case 'resting':
        return cells * 2.275;
      case 'discharging': {
        const amperes = (loadWatts + inverterWatts) / open;
        return Math.max(cells * 1.6, open - amperes * 0.03 * (1 / Math.max(this.health, 0.05)));
      }
    }
  }

  #fullRuntimeSeconds(loadWatts: number): number {
    const relative = (this.rating.realPowerWatts + inverterWatts) / (loadWatts + inverterWatts);
    return Math.max(this.health, 0.001) * this.rating.fullLoadRuntimeSeconds * relative ** peukertExponent;
  }
}
