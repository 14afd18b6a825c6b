// Handles the inputs of one redundancy group: its thresholds at every reading of a member, and once a second the health
// of the members, the quorum and the shutdown.
import type { TriggerName } from '../../../shared/domain/status/states.js';
import type { Facts } from '../../../shared/domain/triggers/trigger.js';
import type { PolicyClock } from '../base/clock.js';
import type { GroupMemory, GroupState, Member } from '../state/group-state.js';
import { groupRowOf, healthyCount, sameGroupRow } from '../state/group-state.js';
import type { Debounce } from '../state/member-health.js';
import {
  debounceAfter,
  debounced,
  effective,
  evaluateHealth,
  isKnownOnBattery,
} from '../state/member-health.js';
import { inhibitedBy } from '../trigger/inhibits.js';
import type { GroupSettings } from '../base/inputs.js';
import type { Quorum } from '../state/quorum.js';
import { coldStartMs, evaluated, lostQuorum } from '../state/quorum.js';
import type { EffectCollector } from '../base/effect-collector.js';
import { reuseUnchanged } from '../base/comparison.js';
import type { ShutdownRequest } from '../base/effects.js';
import { nextShutdownState } from '../trigger/shutdown.js';
import type { LabelOf } from '../view/group-messages.js';
import {
  formatMembers,
  reportGroupStart,
  reportGroupThreshold,
  reportQuorum,
} from '../view/group-messages.js';
import { confirmed, firing } from '../trigger/trigger-confirmations.js';
import type { UpsMemory, UpsState } from '../state/ups-state.js';
import { activeTrigger, factsOf, isInOutage, isPowerStable } from '../state/ups-state.js';

export type Lookup = (groupId: string) => UpsState | undefined;

/** After a good reading of the member `ups`. */
export function groupAfterReading(
  group: GroupState,
  before: UpsMemory | undefined,
  ups: UpsState,
  now: PolicyClock,
  effects: EffectCollector,
): GroupState {
  if (before?.line.kind !== 'outage' && ups.line.kind === 'outage') effects.prepare(group.policy.groupId);
  const members = group.members.map((member) =>
    member.ups === ups.policy.groupId ? memberAfterReading(member, ups, group.policy, now, effects) : member,
  );
  if (members.every((member, index) => member === group.members[index])) return group;
  effects.requestSnapshot();
  return { ...group, members };
}

function memberAfterReading(
  member: Member,
  ups: UpsState,
  policy: GroupSettings,
  now: PolicyClock,
  effects: EffectCollector,
): Member {
  const facts = factsOf(ups);
  const after: Member = {
    ...member,
    confirmed: confirmed(member.confirmed, policy.triggers, facts),
    met: isInOutage(ups) ? member.met : null,
    shown: debounceAfter(member.shown, ups),
  };
  const request =
    facts === null || after.met !== null ? null : requestOf(after, facts, ups, policy, now, effects);
  if (request === null) return reuseUnchanged(member, after);
  // While its source is unknown, it is met for as long as each reading meets it.
  if (member.met !== null) return reuseUnchanged(member, { ...after, met: member.met });
  if (activeTrigger(ups) === null)
    effects.report('the report of a threshold', () => reportGroupThreshold(member, request, policy, effects));
  return { ...after, met: { ...request, sinceUnixSeconds: now.unixSeconds } };
}

function requestOf(
  member: Member,
  facts: Facts,
  ups: UpsState,
  { triggers }: GroupSettings,
  now: PolicyClock,
  effects: EffectCollector,
): ShutdownRequest<TriggerName> | null {
  return firing(
    member.confirmed,
    triggers,
    facts,
    (trigger) => inhibitedBy(ups.inhibits, trigger, now.monotonicMs) !== null,
    effects,
  );
}

/** The evaluation, once a second. */
export function groupEvaluated(
  group: GroupState,
  lookup: Lookup,
  now: PolicyClock,
  effects: EffectCollector,
): GroupState {
  const { policy } = group;
  const proven = provenMembers(group, lookup, now);
  const votes = {
    enough: healthyCount(proven, policy) >= neededHealthy(group, lookup, now),
    allReported: policy.members.every((groupId) => lookup(groupId)?.readings.last !== null),
  };
  return withQuorum(group, evaluated(group.quorum, votes, now.watchedMs), proven, lookup, now, effects);
}

/**
 * A member has just started a sequence of its own. A quorum that its trigger takes is lost in the same step: both sequences
 * begin together, and this host is not powered off by the one before the other has begun. Triggers are confirmed; whatever
 * else has just changed waits for the second evaluation.
 */
export function groupAfterMemberStarted(
  group: GroupState,
  lookup: Lookup,
  now: PolicyClock,
  effects: EffectCollector,
): GroupState {
  const { policy, quorum } = group;
  if (quorum.kind === 'starting') return group;
  const proven = provenMembers(group, lookup, now);
  const carrying = proven.filter((member, index) => {
    if (effective(member.health, policy) === 'HEALTHY') return true;
    const before = group.members[index]?.health ?? 'UNKNOWN';
    return effective(before, policy) === 'HEALTHY' && !hasTrigger(member, lookup(member.ups));
  });
  if (carrying.length >= neededHealthy(group, lookup, now)) return group;
  return withQuorum(group, lostQuorum, proven, lookup, now, effects);
}

/** A member that a reload has added has no vote until it was read, for as long as a daemon that starts waits for it. */
function neededHealthy({ policy, quorum }: GroupState, lookup: Lookup, now: PolicyClock): number {
  const { members, minHealthy } = policy;
  if (quorum.kind === 'lost') return minHealthy;
  const voting = members.filter((groupId) => {
    const ups = lookup(groupId);
    if (ups === undefined || ups.readings.last !== null) return true;
    return now.watchedMs - ups.addedWatchedMs >= coldStartMs;
  });
  return Math.min(minHealthy, voting.length);
}

function provenMembers(group: GroupState, lookup: Lookup, now: PolicyClock): readonly Member[] {
  return group.members.map((member) =>
    withHealth(member, lookup(member.ups), group.policy, member.shown, now),
  );
}

function hasTrigger({ met }: Member, ups: UpsState | undefined): boolean {
  return met !== null || (ups !== undefined && activeTrigger(ups) !== null);
}

function withQuorum(
  group: GroupState,
  quorum: Quorum,
  proven: readonly Member[],
  lookup: Lookup,
  now: PolicyClock,
  effects: EffectCollector,
): GroupState {
  const { policy } = group;
  const members = group.members.map((member) =>
    withHealth(member, lookup(member.ups), policy, debounced, now),
  );
  const isOutage =
    proven.some(({ health }) => health === 'CRITICAL') ||
    members.some(({ shown }) => isKnownOnBattery(shown));
  const labelOf: LabelOf = (groupId) => lookup(groupId)?.policy.label ?? groupId;
  effects.report('the report of a quorum', () => {
    const isProvenOnly = quorum.kind === 'held' && healthyCount(members, policy) < policy.minHealthy;
    const counted = isProvenOnly ? proven : members;
    reportQuorum(
      group,
      { members: counted, quorum, shutdown: group.shutdown },
      isOutage,
      policy,
      labelOf,
      effects,
    );
  });
  const request = quorum.kind === 'lost' && isOutage ? quorumDemand(members, policy, labelOf, effects) : null;
  const isStable = isGroupPowerStable({ policy, quorum, shutdown: group.shutdown }, lookup);
  const { shutdown, change } = nextShutdownState(group.shutdown, request, isStable, now.unixSeconds);
  if (change === 'powerReturned') effects.powerReturned(policy.groupId);
  if (change === 'started' && request !== null) {
    effects.startSequence(policy.groupId, request.trigger, request.why);
    effects.report('the report of a start', () => reportGroupStart(request, policy, effects));
  }
  return published(group, { members, quorum, shutdown }, lookup, effects);
}

/** The quorum holds with enough members confirmed on line power: the outage is over. */
export function isGroupPowerStable(
  { policy, quorum, shutdown }: Pick<GroupState, 'policy' | 'quorum' | 'shutdown'>,
  lookup: Lookup,
): boolean {
  if (quorum.kind !== 'held') return false;
  const hasSequence = shutdown.kind === 'fired' && !shutdown.sequenceOver;
  const back = policy.members.filter((groupId) => isOnLine(lookup(groupId), hasSequence));
  return back.length >= policy.minHealthy;
}

function withHealth(
  member: Member,
  ups: UpsState | undefined,
  { triggers: { outputOffMs } }: GroupSettings,
  shown: Debounce,
  now: PolicyClock,
): Member {
  if (ups === undefined) return member;
  const { health, why } = evaluateHealth(ups, ups.policy, { met: member.met, outputOffMs }, shown, now);
  return reuseUnchanged(member, { ...member, health, why });
}

function quorumDemand(
  members: readonly Member[],
  { minHealthy }: GroupSettings,
  labelOf: LabelOf,
  effects: EffectCollector,
): ShutdownRequest {
  const who = effects.shown('the members in words', 'members', () => formatMembers(members, labelOf));
  const why = `fewer than ${String(minHealthy)} healthy: ${who}`;
  return { trigger: 'QUORUM_LOST', why };
}

/** Seen, with mains on line or in bypass, without an outage or FSD. An unknown source ends no sequence. */
function isOnLine(ups: UpsState | undefined, hasSequence: boolean): boolean {
  if (ups === undefined) return false;
  const source = ups.readings.last?.source;
  const hasMains = source === 'line' || source === 'bypass' || (ups.line.kind === 'unknown' && !hasSequence);
  return ups.connection.sight.kind === 'ok' && hasMains && isPowerStable(ups);
}

function published(
  before: GroupState,
  after: GroupMemory,
  lookup: Lookup,
  effects: EffectCollector,
): GroupState {
  const { policy } = before;
  if (before.quorum !== after.quorum || before.shutdown !== after.shutdown) effects.requestSnapshot();
  const row = effects.shown('the row of a group', before.row, () => {
    const shown = groupRowOf(policy, after, (groupId) => lookup(groupId)?.policy);
    return sameGroupRow(shown, before.row) ? before.row : shown;
  });
  if (row !== before.row) effects.rowChanged(policy.groupId);
  return { ...after, policy, row };
}
