// Applies settings to a state: at the start, at a reload, after a restart. UPSes and groups that stay keep their
// memory.
import type { UpsRow } from '../../shared/domain/status/status-model.js';
import type { TriggerSettings } from '../../shared/domain/triggers/table.js';
import type { PolicyClock } from './base/clock.js';
import type { GroupMemory, GroupState } from './state/group-state.js';
import { groupRowOf, newGroup, newMember } from './state/group-state.js';
import type { GroupSettings, PolicySettings, UpsSettings } from './base/inputs.js';
import type { PolicyState } from './state/state.js';
import type { UpsMemory, UpsState } from './state/ups-state.js';
import { factsOf, newUps, withValuesLastRead } from './state/ups-state.js';
import type { Confirmed } from './trigger/trigger-confirmations.js';
import { confirmedUnder, nothingConfirmed } from './trigger/trigger-confirmations.js';
import { rowOf } from './view/view.js';

/** The memory of a UPS or group by groupId; undefined for a new one. */
export interface RestoredState {
  ups(groupId: string): UpsMemory | undefined;
  group(groupId: string): GroupMemory | undefined;
  readonly evaluatedMs: number;
}

export function configured(
  settings: PolicySettings,
  clock: PolicyClock,
  remembered: RestoredState,
): PolicyState {
  const { ups, redundancyGroups } = settings;
  const groupsOfUps = new Map(
    ups.map(({ groupId }) => [
      groupId,
      redundancyGroups.flatMap(({ members }, index) => (members.includes(groupId) ? [index] : [])),
    ]),
  );
  const all = ups.map((policy) => upsWith(policy, remembered.ups(policy.groupId), clock));
  const byName = new Map(all.map((one) => [one.policy.groupId, one]));
  return {
    clock,
    settings,
    ups: all,
    upsIndex: new Map(ups.map(({ groupId }, index) => [groupId, index])),
    groups: redundancyGroups.map((policy) =>
      groupWith(policy, remembered.group(policy.groupId), clock, (groupId) => byName.get(groupId)),
    ),
    groupsOfUps,
    evaluatedMs: remembered.evaluatedMs,
  };
}

function upsWith(policy: UpsSettings, known: UpsMemory | undefined, clock: PolicyClock): UpsState {
  const memory = known ?? newUps(clock.watchedMs);
  const ups = { ...memory, policy, row: shownRow(policy, memory, clock) };
  return { ...ups, confirmed: stillConfirmed(memory.confirmed, policy.triggers, ups) };
}

/** A value that is missing now may have been counted under another threshold. What throws here throws again at the next reading. */
function stillConfirmed(counts: Confirmed, settings: TriggerSettings, ups: UpsState | undefined): Confirmed {
  if (counts === nothingConfirmed || ups === undefined) return counts;
  try {
    const lastRead = factsOf(withValuesLastRead(ups));
    return lastRead === null ? counts : confirmedUnder(settings, counts, lastRead);
  } catch {
    return counts;
  }
}

/** What cannot be shown costs no memory. It throws again at the next reading, and is told there. */
function shownRow(policy: UpsSettings, memory: UpsMemory, clock: PolicyClock): UpsRow {
  try {
    return rowOf(policy, memory, clock);
  } catch {
    return rowOf(policy, newUps(clock.watchedMs), clock);
  }
}

function groupWith(
  policy: GroupSettings,
  known: GroupMemory | undefined,
  clock: PolicyClock,
  lookup: (groupId: string) => UpsState | undefined,
): GroupState {
  const memory = known ?? newGroup(policy, clock.watchedMs);
  const members = policy.members.map((groupId) => {
    const member = memory.members.find(({ ups }) => ups === groupId) ?? newMember(groupId);
    return { ...member, confirmed: stillConfirmed(member.confirmed, policy.triggers, lookup(groupId)) };
  });
  const kept: GroupMemory = { quorum: memory.quorum, shutdown: memory.shutdown, members };
  return { ...kept, policy, row: groupRowOf(policy, kept, (groupId) => lookup(groupId)?.policy) };
}
