// Handles the inputs of one redundancy group: its thresholds at every reading of a member; once a second, and when a member has
// started a sequence, the health of the members, the quorum and the shutdown.
import type { BatteryTriggerName } from '../../../shared/domain/triggers/table.js';
import type { PolicyClock } from '../base/clock.js';
import type { GroupState, Member } from '../state/group-state.js';
import { healthyCount } from '../state/group-state.js';
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
import type { Guarded, Loss } from '../base/loss.js';
import { nothingLost, shown } from '../base/loss.js';
import { reuseUnchanged } from '../base/comparison.js';
import type { ShutdownRequest } from '../base/effects.js';
import { nextShutdownState } from '../trigger/shutdown.js';
import type { GroupChange, LabelOf } from '../view/group-facts.js';
import { inWords } from '../view/group-facts.js';
import { formatMembers } from '../view/power-words.js';
import { confirmed, firing } from '../trigger/trigger-confirmations.js';
import type { UpsState } from '../state/ups-state.js';
import { activeTrigger, factsOf, isInOutage, isPowerStable } from '../state/ups-state.js';

export type Lookup = (groupId: string) => UpsState | undefined;

/** After a good reading of the member `ups`. */
export function groupAfterReading(group: GroupState, ups: UpsState, now: PolicyClock): Guarded<GroupState> {
  const place = group.members.findIndex((member) => member.ups === ups.policy.groupId);
  const member = group.members[place];
  if (member === undefined) return { value: group, lost: nothingLost };
  const { value: read, lost } = memberAfterReading(member, ups, group.policy, now);
  return { value: read === member ? group : { ...group, members: group.members.with(place, read) }, lost };
}

function memberAfterReading(
  member: Member,
  ups: UpsState,
  { triggers }: GroupSettings,
  now: PolicyClock,
): Guarded<Member> {
  const facts = factsOf(ups);
  const askedMs = ups.readings.last?.askedMs ?? now.monotonicMs;
  const after: Member = {
    ...member,
    confirmed: confirmed(member.confirmed, triggers, facts),
    met: isInOutage(ups) ? member.met : null,
    shown: debounceAfter(member.shown, ups),
  };
  const unmet = { value: reuseUnchanged(member, after), lost: nothingLost };
  if (facts === null || after.met !== null) return unmet;
  const isInhibited = (trigger: BatteryTriggerName) => inhibitedBy(ups.inhibits, trigger, askedMs) !== null;
  const { value: request, lost } = firing(after.confirmed, triggers, facts, isInhibited);
  if (request === null) return unmet;
  // While its source is unknown, it is met for as long as each reading meets it.
  const met = member.met ?? { ...request, sinceUnixSeconds: now.unixSeconds };
  return { value: reuseUnchanged(member, { ...after, met }), lost };
}

/** What an evaluation decides; the rest is what its report needs. */
export interface EvaluatedGroup extends Pick<GroupChange, 'counted' | 'isOutage' | 'labelOf'> {
  readonly after: GroupState;
  readonly lost: readonly Loss[];
}

/** The evaluation, once a second. */
export function groupEvaluated(group: GroupState, lookup: Lookup, now: PolicyClock): EvaluatedGroup {
  const { policy } = group;
  const proven = provenMembers(group, lookup, now);
  const votes = {
    enough: healthyCount(proven, policy) >= neededHealthy(group, lookup, now),
    allReported: policy.members.every((groupId) => lookup(groupId)?.readings.last !== null),
  };
  return withQuorum(group, evaluated(group.quorum, votes, now.watchedMs), proven, lookup, now);
}

/**
 * A member has just started a sequence of its own. A quorum that its trigger takes is lost in the same step: both sequences
 * begin together, and this host is not powered off by the one before the other has begun. Triggers are confirmed; whatever
 * else has just changed waits for the second evaluation. Null: the group stays as it is.
 */
export function groupAfterMemberStarted(
  group: GroupState,
  lookup: Lookup,
  now: PolicyClock,
): EvaluatedGroup | null {
  const { policy, quorum } = group;
  if (quorum.kind === 'starting') return null;
  const proven = provenMembers(group, lookup, now);
  const carrying = proven.filter((member, index) => {
    if (effective(member.health, policy) === 'HEALTHY') return true;
    const before = group.members[index]?.health ?? 'UNKNOWN';
    return effective(before, policy) === 'HEALTHY' && !hasTrigger(member, lookup(member.ups));
  });
  if (carrying.length >= neededHealthy(group, lookup, now)) return null;
  return withQuorum(group, lostQuorum, proven, lookup, now);
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
): EvaluatedGroup {
  const { policy } = group;
  const members = group.members.map((member) =>
    withHealth(member, lookup(member.ups), policy, debounced, now),
  );
  const isOutage =
    proven.some(({ health }) => health === 'CRITICAL') ||
    members.some(({ shown }) => isKnownOnBattery(shown));
  const labelOf: LabelOf = (groupId) => lookup(groupId)?.policy.label ?? groupId;
  const isProvenOnly = quorum.kind === 'held' && healthyCount(members, policy) < policy.minHealthy;
  const { value: request, lost } =
    quorum.kind === 'lost' && isOutage ? quorumDemand(members, policy, labelOf) : noDemand;
  const isStable = isGroupPowerStable({ policy, quorum, shutdown: group.shutdown }, lookup);
  const shutdown = nextShutdownState(group.shutdown, request, isStable, now.unixSeconds);
  const after = { ...group, members, quorum, shutdown };
  return { after, counted: isProvenOnly ? proven : members, isOutage, labelOf, lost };
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

const noDemand: Guarded<ShutdownRequest | null> = { value: null, lost: nothingLost };

function quorumDemand(
  members: readonly Member[],
  { minHealthy }: GroupSettings,
  labelOf: LabelOf,
): Guarded<ShutdownRequest> {
  const who = shown('the members in words', 'members', () => formatMembers(inWords(members, labelOf)));
  const why = `fewer than ${String(minHealthy)} healthy: ${who.value}`;
  return { value: { trigger: 'QUORUM_LOST', why }, lost: who.lost };
}

/** Seen, with mains on line or in bypass, without an outage or FSD. An unknown source ends no sequence. */
function isOnLine(ups: UpsState | undefined, hasSequence: boolean): boolean {
  if (ups === undefined) return false;
  const source = ups.readings.last?.source;
  const hasMains = source === 'line' || source === 'bypass' || (ups.line.kind === 'unknown' && !hasSequence);
  return ups.connection.status.kind === 'ok' && hasMains && isPowerStable(ups);
}
