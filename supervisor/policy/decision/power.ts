// Whether a group has power: checked before the first destructive step of a sequence, and before a restarted daemon
// resumes one.
import { isGroupPowerStable } from './group.js';
import type { PolicyState } from '../state/state.js';
import { groupOf, upsOf } from '../state/state.js';
import type { UpsState } from '../state/ups-state.js';
import { isPowerStable, isReadOnBattery } from '../state/ups-state.js';

/** No confirmed outage and no FSD in the group. A UPS without any reading does not count. */
export function powerIsBack(state: PolicyState, groupId: string): boolean {
  const ups = upsOf(state, groupId);
  if (ups !== undefined) return ups.readings.last !== null && isPowerStable(ups);
  const group = groupOf(state, groupId);
  return group !== undefined && isGroupPowerStable(group, (member) => upsOf(state, member));
}

/** The UPS has an outage or an FSD. */
export function isOnBattery(state: PolicyState, groupId: string): boolean {
  const ups = upsOf(state, groupId);
  return ups !== undefined && !isPowerStable(ups);
}

/** groupIds of all UPSes with an outage or an FSD, and of all groups with such a member. */
export function groupsOnBattery({ ups, groups }: PolicyState): ReadonlySet<string> {
  const found = new Set(ups.filter((state) => !isPowerStable(state)).map(({ policy }) => policy.groupId));
  const redundant = groups.filter(({ policy }) => policy.members.some((member) => found.has(member)));
  return new Set([...found, ...redundant.map(({ policy }) => policy.groupId)]);
}

/** A reading of the group is not older than `sinceMs`. */
export function isSeen(state: PolicyState, groupId: string, sinceMs: number): boolean {
  return sourcesOf(state, groupId).some((source) => {
    const last = upsOf(state, source)?.readings.last ?? null;
    return last !== null && last.monotonicMs >= sinceMs;
  });
}

/** A reading not older than `sinceMs` shows a UPS of the group on battery or with FSD. */
export function isSeenOnBattery(state: PolicyState, groupId: string, sinceMs: number): boolean {
  return sourcesOf(state, groupId).some((source) => {
    const ups = upsOf(state, source);
    return ups !== undefined && isUpsSeenOnBattery(ups, sinceMs);
  });
}

function sourcesOf(state: PolicyState, groupId: string): readonly string[] {
  return groupOf(state, groupId)?.policy.members ?? [groupId];
}

function isUpsSeenOnBattery(ups: UpsState, sinceMs: number): boolean {
  const { last } = ups.readings;
  if (last === null || last.monotonicMs < sinceMs) return false;
  return isReadOnBattery(ups) || ups.doubt.acts || ups.fsd.kind === 'acting';
}
