// What the records of a run need, and what watches it. Types only.
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import type { Observer } from '../observer.js';
import type { World } from '../world.js';

export interface Moment {
  readonly world: World;
  /** Monotonic ms of the boot. */
  readonly nowMs: number;
  policy(ups: string): UpsSettings | undefined;
}

/** What an invariant watches. `checked` comes after every input, when its events and steps are known. */
export interface Watcher extends Partial<Observer> {
  checked?(): void;
}

export interface Violation {
  /** World time. */
  readonly atMs: number;
  /** The broken promise. */
  readonly rule: string;
  readonly text: string;
}
