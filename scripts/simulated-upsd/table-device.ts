// A device that is a table of variables, like NUT's dummy-ups: the dump of a real device, without physics. Written values
// stay; its commands succeed and do nothing.
import type { Device } from './device.js';
import type { TrackingResult } from './tracking.js';

export interface DeviceTable extends Partial<Pick<Device, 'kinds' | 'commands'>> {
  readonly variables: Readonly<Record<string, string>>;
}

export class TableDevice implements Device {
  readonly kinds: Device['kinds'];
  readonly commands: Device['commands'];
  readonly #variables: Map<string, string>;

  constructor({ variables, kinds = {}, commands = {} }: DeviceTable) {
    this.kinds = kinds;
    this.commands = commands;
    this.#variables = new Map(Object.entries(variables));
  }

  report(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#variables);
  }

  step(): void {
    // A table does not change with time.
  }

  change(): void {
    // A table does not change with line or load.
  }

  command(name: string): TrackingResult {
    return Object.hasOwn(this.commands, name.toLowerCase()) ? 'SUCCESS' : 'ERR UNKNOWN';
  }

  write(name: string, value: string): void {
    this.#variables.set(name, value);
  }
}
