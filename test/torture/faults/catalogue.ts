// All faults.
import type { Fault } from '../fault.js';
import { machineFaults } from './machine.js';
import { serverFaults } from './servers.js';
import { workerFaults } from './workers.js';

export const catalogue: readonly Fault[] = [...workerFaults, ...serverFaults, ...machineFaults];

/** Throws for an unknown name. */
export function faultNamed(name: string): Fault {
  const found = catalogue.find((fault) => fault.name === name);
  if (found === undefined) throw new Error(`there is no fault "${name}"`);
  return found;
}
