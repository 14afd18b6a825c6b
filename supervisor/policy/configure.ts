// New settings into a state: at the start, at a reload, after a restart. What stays keeps its memory.
import type { PolicyClock } from './clock.js';
import type { PolicySettings, UpsPolicy } from './inputs.js';
import type { PolicyState } from './state.js';
import type { UpsMemory, UpsState } from './ups-state.js';
import { newUps } from './ups-state.js';
import { rowOf } from './view.js';

/** `remembered` gives the memory of a UPS that is known already, by groupId. */
export function configured(
  settings: PolicySettings,
  clock: PolicyClock,
  remembered: (groupId: string) => UpsMemory | undefined,
): PolicyState {
  return {
    clock,
    settings,
    ups: settings.ups.map((policy) =>
      withRow(policy, remembered(policy.groupId) ?? newUps(clock.watchedMs), clock),
    ),
    upsIndex: new Map(settings.ups.map(({ groupId }, index) => [groupId, index])),
  };
}

function withRow(policy: UpsPolicy, memory: UpsMemory, clock: PolicyClock): UpsState {
  return { ...memory, policy, row: rowOf(policy, memory, clock) };
}
