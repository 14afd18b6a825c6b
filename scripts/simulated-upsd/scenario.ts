// A scenario as data: timed changes of a UPS, in seconds of UPS time.
import type { BatteryChange, Surroundings } from './ups-model.js';

/** A moment in a scenario. Fields left out stay as they are. */
export interface ScenarioEvent extends Partial<Surroundings>, BatteryChange {
  readonly atSeconds: number;
  /** A short text for the output. */
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
  /** By time. The first is at 0 and sets a known state. */
  readonly events: readonly ScenarioEvent[];
}
