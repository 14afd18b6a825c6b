// Whether the power of a group is there: what a sequence asks right before its first destructive step, and a restarted
// daemon before it takes a sequence up again.
import { isGroupPowerStable } from './group.js';
import type { PolicyState } from './state.js';
import { groupOf, upsOf } from './state.js';
import type { UpsState } from './ups-state.js';
import { isPowerStable } from './ups-state.js';

/**
 * No outage and no FSD of the group stands any more, confirmed as for every other decision. A UPS of which nothing is known
 * says nothing of it.
 */
export function powerIsBack(state: PolicyState, groupId: string): boolean {
  const ups = upsOf(state, groupId);
  if (ups !== undefined) return ups.readings.last !== null && isPowerStable(ups);
  const group = groupOf(state, groupId);
  return group !== undefined && isGroupPowerStable(group, (member) => upsOf(state, member));
}

/** An outage or an FSD of the UPS stands. */
export function isOnBattery(state: PolicyState, groupId: string): boolean {
  const ups = upsOf(state, groupId);
  return ups !== undefined && !isPowerStable(ups);
}

/** groupIds of all UPSes of which an outage or an FSD stands, and of all groups with such a member. */
export function groupsOnBattery({ ups, groups }: PolicyState): ReadonlySet<string> {
  const found = new Set(ups.filter((one) => !isPowerStable(one)).map(({ policy }) => policy.groupId));
  const redundant = groups.filter(({ policy }) => policy.members.some((member) => found.has(member)));
  return new Set([...found, ...redundant.map(({ policy }) => policy.groupId)]);
}

/** A reading not older than `sinceMs` shows a UPS of the group on battery, or demanded to shut down. */
export function isSeenOnBattery(state: PolicyState, groupId: string, sinceMs: number): boolean {
  const sources = groupOf(state, groupId)?.policy.members ?? [groupId];
  return sources.some((source) => {
    const ups = upsOf(state, source);
    return ups !== undefined && isUpsSeenOnBattery(ups, sinceMs);
  });
}

function isUpsSeenOnBattery({ readings: { last }, fsd }: UpsState, sinceMs: number): boolean {
  if (last === null || last.monotonicMs < sinceMs) return false;
  return last.source === 'battery' || fsd.kind === 'acting';
}
