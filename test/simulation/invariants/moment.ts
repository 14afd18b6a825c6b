// What the records of a run need. Types only.
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import type { World } from '../world.js';

export interface Moment {
  readonly world: World;
  /** Monotonic ms of the boot. */
  readonly nowMs: number;
  /** What was written before is on the disk: monotonic ms of the boot. */
  readonly writtenMs: number;
  policy(ups: string): UpsSettings | undefined;
}

export interface Violation {
  /** World time. */
  readonly atMs: number;
  /** The broken promise. */
  readonly rule: string;
  readonly text: string;
}
