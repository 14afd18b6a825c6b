// What policy goes on with when it could not be configured: nobody is shut down by thresholds that the file no longer has. Pure.
import type { PolicySettings } from '../policy/inputs.js';
import type { PolicyState } from '../policy/state.js';

/** UPSes, and groups with the same members, get their new settings and keep the rest. What is new the reserve decides. */
export function afterLostSettings(state: PolicyState, settings: PolicySettings): PolicyState {
  const policies = new Map(settings.ups.map((policy) => [policy.groupId, policy]));
  const ofGroups = new Map(settings.redundancyGroups.map((policy) => [policy.groupId, policy]));
  return {
    ...state,
    ups: state.ups.map((ups) => ({ ...ups, policy: policies.get(ups.policy.groupId) ?? ups.policy })),
    groups: state.groups.map((group) => {
      const policy = ofGroups.get(group.policy.groupId) ?? group.policy;
      return String(policy.members) === String(group.policy.members) ? { ...group, policy } : group;
    }),
  };
}
