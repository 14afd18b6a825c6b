// A device that is a table of variables, as NUT's dummy-ups has it: a dump of a real one, without physics. What is
// written stays; its commands succeed and do nothing.
import type { Device } from './device.js';
import type { Outcome } from './tracking.js';

export interface Table extends Partial<Pick<Device, 'kinds' | 'commands'>> {
  readonly variables: Readonly<Record<string, string>>;
}

export class TableDevice implements Device {
  readonly kinds: Device['kinds'];
  readonly commands: Device['commands'];
  readonly #variables: Map<string, string>;

  constructor({ variables, kinds = {}, commands = {} }: Table) {
    this.kinds = kinds;
    this.commands = commands;
    this.#variables = new Map(Object.entries(variables));
  }

  report(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#variables);
  }

  step(): void {
    // Time does nothing to a table.
  }

  change(): void {
    // Nor does the world.
  }

  command(name: string): Outcome {
    return Object.hasOwn(this.commands, name.toLowerCase()) ? 'SUCCESS' : 'ERR UNKNOWN';
  }

  write(name: string, value: string): void {
    this.#variables.set(name, value);
  }
}
