// All that policy remembers, as one value. `step` never changes a state it was given; it shares what did not change.
import type { PolicyClock } from './clock.js';
import { clockAtStart } from './clock.js';
import type { PolicySettings } from './inputs.js';
import type { UpsState } from './ups-state.js';

export interface PolicyState {
  readonly clock: PolicyClock;
  readonly settings: PolicySettings;
  /** In configuration order; an array, because copying 1,000 references costs a microsecond and a Map thirty. */
  readonly ups: readonly UpsState[];
  /** groupId -> place in `ups`. */
  readonly upsIndex: ReadonlyMap<string, number>;
}

export const initialState: PolicyState = {
  clock: clockAtStart,
  settings: { ups: [], redundancyGroups: [], voltageHysteresisMs: 0 },
  ups: [],
  upsIndex: new Map(),
};
