// Whether the output of a UPS may be cut: only when no target that may still run needs it.
import type { PolicyState } from '../state/state.js';
import { groupOf, upsOf } from '../state/state.js';
import { isPowerStable } from '../state/ups-state.js';

/** A server or this host. */
export interface FedLoad {
  readonly name: string;
  /** groupId of the group that owns it. */
  readonly group: string;
  /** Groups whose last sequence has ended it. It counts while their outage lasts: a later one finds the target up again. */
  readonly endedBy: readonly string[];
}

/** Further ones are only counted. */
const maxListed = 5;

/** The reason not to cut the output, or null (specification/sequence.md#output-of-the-ups). */
export function outputStaysOn(state: PolicyState, ups: string, loads: readonly FedLoad[]): string | null {
  const decided = decidedGroupOf(state, ups);
  if (decided !== null) return `the output stays on: the UPS has power, and ${decided} has not enough`;
  const living = loads.filter((load) => lives(state, load) && needs(state, load.group, ups));
  if (living.length === 0) return null;
  const names = living.slice(0, maxListed).map(({ name }) => name);
  const more = living.length - names.length;
  return `the output stays on: it feeds ${names.join(', ')}${more === 0 ? '' : ` and ${String(more)} more`}`;
}

/** Why FSD of this UPS is not set for those who have only NUT; null: it is on battery, or CRITICAL. */
export function needsNoForcedShutdown(state: PolicyState, ups: string): string | null {
  const known = upsOf(state, ups);
  if (known === undefined) return 'the UPS is not configured any more';
  const isCritical = state.groups.some(({ members }) =>
    members.some((member) => member.ups === ups && member.health === 'CRITICAL'),
  );
  const isNeeded = !isPowerStable(known) || known.shutdown.kind === 'fired' || isCritical;
  return isNeeded ? null : 'the UPS has power';
}

function lives(state: PolicyState, { endedBy }: FedLoad): boolean {
  return !endedBy.some((group) => {
    const known = upsOf(state, group) ?? groupOf(state, group);
    return known?.shutdown.kind === 'fired';
  });
}

/** Without this UPS, fewer than `min_healthy` of the group would be HEALTHY. */
function needs(state: PolicyState, groupId: string, ups: string): boolean {
  const group = groupOf(state, groupId);
  if (group === undefined) return groupId === ups;
  const { members, minHealthy } = group.policy;
  if (!members.includes(ups)) return false;
  const others = group.members.filter((member) => member.ups !== ups && member.health === 'HEALTHY');
  return others.length < minHealthy;
}

/**
 * A group whose shutdown is decided while this member has power, as in N+1 of three: to switch it off and on would start the loads
 * on too few UPSes. One that was never read may have no power. Once enough members have power, all outputs are cut, so that every load starts again.
 */
function decidedGroupOf(state: PolicyState, ups: string): string | null {
  const hasPower = (groupId: string) => {
    const known = upsOf(state, groupId);
    return known !== undefined && known.readings.last !== null && isPowerStable(known);
  };
  if (!hasPower(ups)) return null;
  const decided = state.groups.find(
    ({ policy, shutdown }) =>
      policy.members.includes(ups) &&
      shutdown.kind === 'fired' &&
      policy.members.filter(hasPower).length < policy.minHealthy,
  );
  return decided?.policy.name ?? null;
}
