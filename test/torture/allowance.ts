// What may fail, or be late, because of a fault.
import type { Target, Ups } from './site.js';

/** What may fail because of a fault. Everything else must work as usual. */
export interface Allowance {
  /** UPSes that may be unpolled during the fault. */
  readonly polls?: readonly Ups[];
  /** Targets that cannot be reached during the fault. */
  readonly targets?: readonly Target[];
  /** The API may be away during the fault. */
  readonly api?: true;
  /** Commands may be this much later: they wait for a worker or for a slow server. */
  readonly lateMs?: number;
  /** Everything may be this much later: the daemon did not run. */
  readonly stoppedMs?: number;
  /** A command in progress may be given once more. */
  readonly again?: true;
  /** The UPS of this host cannot be polled: on battery the failsafe must fire. */
  readonly blind?: true;
}

/** Permitted delay of commands, and of everything, during these faults, in ms. */
export function delays(allowances: readonly Allowance[]): {
  readonly commands: number;
  readonly all: number;
} {
  const all = allowances.reduce((sum, { stoppedMs = 0 }) => sum + stoppedMs, 0);
  return { commands: allowances.reduce((sum, { lateMs = 0 }) => sum + lateMs, all), all };
}
