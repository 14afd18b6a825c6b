// What policy goes on with when it could not be configured: nobody is shut down by what the file no longer has. Pure.
import { newMember } from '../policy/state/group-state.js';
import type { PolicySettings } from '../policy/base/inputs.js';
import type { PolicyState } from '../policy/state/state.js';

/** The UPSes and groups that stay have their new settings and keep the rest. The reserve decides for those that are new. */
export function afterLostSettings(state: PolicyState, settings: PolicySettings): PolicyState {
  const ups = state.ups.flatMap((before) => {
    const policy = settings.ups.find(({ groupId }) => groupId === before.policy.groupId);
    return policy === undefined ? [] : [{ ...before, policy }];
  });
  const upsIndex = new Map(ups.map(({ policy }, place) => [policy.groupId, place]));
  const groups = state.groups.flatMap((before) => {
    const policy = settings.redundancyGroups.find(({ groupId }) => groupId === before.policy.groupId);
    // A member that policy does not have would never be read, and count as critical.
    if (policy?.members.every((member) => upsIndex.has(member)) !== true) return [];
    const members = policy.members.map(
      (member) => before.members.find((known) => known.ups === member) ?? newMember(member),
    );
    return [{ ...before, policy, members }];
  });
  const groupsOf = (groupId: string): readonly number[] =>
    groups.flatMap(({ policy }, place) => (policy.members.includes(groupId) ? [place] : []));
  const groupsOfUps = new Map(ups.map(({ policy: { groupId } }) => [groupId, groupsOf(groupId)]));
  return { ...state, ups, upsIndex, groups, groupsOfUps };
}
