// A scenario as data: what happens to a UPS, and when, in seconds of UPS time.
import type { BatteryChange, Surroundings } from './ups-model.js';

/** A moment in a scenario. Fields left out stay as they are. */
export interface ScenarioEvent extends Partial<Surroundings>, BatteryChange {
  readonly atSeconds: number;
  /** For the newcomer who watches: what happens, in a few words. */
  readonly says: string;
  readonly command?: string;
  /** Sets or clears the FSD flag, as another primary or a restart of upsd does. */
  readonly fsd?: boolean;
  readonly link?: DriverLink;
}

/** The connection of upsd to the driver: fresh data, a silent driver, no driver. */
export type DriverLink = 'ok' | 'stale' | 'gone';

export interface Scenario {
  readonly title: string;
  readonly sentence: string;
  /** After this many seconds it starts again. */
  readonly lengthSeconds: number;
  /** By time. The first is at 0 and brings the UPS to a known state. */
  readonly events: readonly ScenarioEvent[];
}
