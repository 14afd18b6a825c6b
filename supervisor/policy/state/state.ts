// The state of policy, as one immutable value. `step` returns a new one that shares the unchanged parts.
import type { PolicyClock } from '../base/clock.js';
import { clockAtStart } from '../base/clock.js';
import type { PolicySettings } from '../base/inputs.js';
import type { GroupState } from './group-state.js';
import type { UpsState } from './ups-state.js';

export interface PolicyState {
  readonly clock: PolicyClock;
  readonly settings: PolicySettings;
  /** In configuration order; an array, because copying 1,000 references costs a microsecond and a Map thirty. */
  readonly ups: readonly UpsState[];
  /** groupId -> index in `ups`. */
  readonly upsIndex: ReadonlyMap<string, number>;
  readonly groups: readonly GroupState[];
  /** groupId of a UPS -> indexes in `groups` of its groups. */
  readonly groupsOfUps: ReadonlyMap<string, readonly number[]>;
  /** Monotonic time of the last evaluation of the groups. */
  readonly evaluatedMs: number;
}

export const initialState: PolicyState = {
  clock: clockAtStart,
  settings: { ups: [], redundancyGroups: [], voltageHysteresisMs: 0 },
  ups: [],
  upsIndex: new Map(),
  groups: [],
  groupsOfUps: new Map(),
  evaluatedMs: 0,
};

export function upsOf(state: PolicyState, groupId: string): UpsState | undefined {
  const index = state.upsIndex.get(groupId);
  return index === undefined ? undefined : state.ups[index];
}

export function groupOf(state: PolicyState, groupId: string): GroupState | undefined {
  return state.groups.find(({ policy }) => policy.groupId === groupId);
}
