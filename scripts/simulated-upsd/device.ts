// What stands behind the driver of a simulated UPS: the physics of `model-device.ts` or the table of `table-device.ts`.
import type { Outcome } from './tracking.js';
import type { BatteryChange, Surroundings } from './ups-model.js';
import type { VariableKind } from './variable-kinds.js';

export interface Device {
  /** By variable, in lower case; of one that is missing nothing is known. */
  readonly kinds: Readonly<Record<string, VariableKind>>;
  /** By instant command, in lower case. */
  readonly commands: Readonly<Record<string, { readonly description: string }>>;
  /** Every variable it reports now. */
  report(): Readonly<Record<string, string | undefined>>;
  /** Lets `stepSeconds` pass. */
  step(): void;
  change(world: Partial<Surroundings>, battery: BatteryChange): void;
  /** `ERR UNKNOWN`: it has no such command. */
  command(name: string, parameter: string | undefined): Outcome;
  /** A variable that upsd found writable, a value it found allowed; the name in lower case. */
  write(name: string, value: string): void;
}
