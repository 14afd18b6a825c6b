// Self tests and run time calibration: both put the load on the battery on purpose while the line is good.
import type { Battery } from './battery.js';

export type TestKind = 'quick' | 'deep' | 'calibration';

/** How long a test of each kind runs at most, in seconds, and at which charge it stops earlier. */
const limits: Readonly<Record<TestKind, { readonly seconds: number; readonly untilPercent: number }>> = {
  quick: { seconds: 10, untilPercent: 20 },
  deep: { seconds: 300, untilPercent: 40 },
  calibration: { seconds: 4 * 3600, untilPercent: 25 },
};
/** A battery with less of its capacity fails the test; for lead acid limits of 80 % to 50 % are usual. */
const passingHealth = 0.5;

export class BatteryTest {
  running: TestKind | undefined;
  result = 'No test run yet';
  /** Set by a failed test, cleared by a passed one. */
  replaceBattery = false;
  #secondsLeft = 0;

  start(kind: TestKind, seconds: number = limits[kind].seconds): void {
    this.running = kind;
    this.#secondsLeft = Math.min(seconds, limits[kind].seconds);
    if (kind !== 'calibration') this.result = 'In progress';
  }

  /** Stopped by a command or by a failing line. True when a test was running. */
  abort(): boolean {
    const was = this.running;
    if (was === undefined) return false;
    if (was !== 'calibration') this.result = 'Aborted';
    this.running = undefined;
    return true;
  }

  advance(seconds: number, battery: Battery): void {
    if (this.running === undefined) return;
    this.#secondsLeft -= seconds;
    if (this.#secondsLeft > 0 && battery.chargePercent > limits[this.running].untilPercent) return;
    if (this.running !== 'calibration') {
      this.replaceBattery = battery.health < passingHealth;
      this.result = this.replaceBattery ? 'Done and failed' : 'Done and passed';
    }
    this.running = undefined;
  }
}
