// The device of a simulated UPS: the physics of `model-device.ts` or the table of `table-device.ts`.
import type { TrackingResult } from './tracking.js';
import type { BatteryChange, Surroundings } from './ups-model.js';
import type { VariableKind } from './variable-kinds.js';

export interface Device {
  /** By variable name in lower case; a missing one is unknown. */
  readonly kinds: Readonly<Record<string, VariableKind>>;
  /** By instant command, in lower case. */
  readonly commands: Readonly<Record<string, { readonly description: string }>>;
  /** The variables it reports now. */
  report(): Readonly<Record<string, string | undefined>>;
  /** Advances the device by `stepSeconds`. */
  step(): void;
  change(world: Partial<Surroundings>, battery: BatteryChange): void;
  /** `ERR UNKNOWN`: it has no such command. */
  command(name: string, parameter: string | undefined): TrackingResult;
  /** `name` in lower case; upsd has checked that variable and value are allowed. */
  write(name: string, value: string): void;
}
