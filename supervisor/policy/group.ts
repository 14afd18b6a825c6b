// One redundancy group through one input: its own thresholds at every reading of a member, and once a second the
// health of its members, the quorum and the shutdown.
import type { PolicyClock } from './clock.js';
import type { GroupMemory, GroupState, Member } from './group-state.js';
import { groupRowOf, healthyCount, sameGroupRow } from './group-state.js';
import { judged } from './health.js';
import { heldBy } from './holds.js';
import type { GroupPolicy } from './inputs.js';
import { evaluated } from './quorum.js';
import type { Said } from './said.js';
import type { Demand } from './shutdown.js';
import { sequenceOver, turned } from './shutdown.js';
import { spokenMembers, tellGroupStart, tellGroupThreshold, tellQuorum } from './told-group.js';
import type { BatteryTrigger } from './triggers.js';
import { confirmed, firing, reasonOf } from './triggers.js';
import type { UpsMemory, UpsState } from './ups-state.js';
import { activeTrigger, factsOf, isCalm, lastOnBattery } from './ups-state.js';

/** Gives a UPS by its groupId. */
export type Lookup = (groupId: string) => UpsState | undefined;

/** After a good reading of the member `ups`. */
export function groupAfterReading(
  group: GroupState,
  before: UpsMemory | undefined,
  ups: UpsState,
  now: PolicyClock,
  said: Said,
): GroupState {
  if (before?.line.kind !== 'outage' && ups.line.kind === 'outage') said.prepare(group.policy.groupId);
  const members = group.members.map((member) =>
    member.ups === ups.policy.groupId ? memberAfterReading(member, ups, group.policy, now, said) : member,
  );
  if (members.every((member, index) => member === group.members[index])) return group;
  said.mustSurvive();
  return { ...group, members };
}

function memberAfterReading(
  member: Member,
  ups: UpsState,
  policy: GroupPolicy,
  now: PolicyClock,
  said: Said,
): Member {
  const { triggers } = policy;
  const facts = factsOf(ups);
  const counts = confirmed(member.confirmed, triggers, facts);
  const met = ups.line.kind === 'outage' ? member.met : null;
  if (facts !== null && met === null) {
    const isHeld = (trigger: BatteryTrigger) => heldBy(ups.holds, trigger, now.monotonicMs) !== null;
    const trigger = firing(counts, triggers, facts.onBatteryMs, isHeld);
    if (trigger !== null) {
      const demand = { trigger, why: reasonOf(trigger, triggers, facts) };
      if (activeTrigger(ups) === null) tellGroupThreshold(member, demand, policy, said);
      return { ...member, confirmed: counts, met: { ...demand, sinceUnixSeconds: now.unixSeconds } };
    }
  }
  return counts === member.confirmed && met === member.met ? member : { ...member, confirmed: counts, met };
}

/** The evaluation of the second. */
export function groupEvaluated(group: GroupState, lookup: Lookup, now: PolicyClock, said: Said): GroupState {
  const { policy } = group;
  const sources = policy.members.flatMap((groupId) => lookup(groupId) ?? []);
  const members = group.members.map((member) => withHealth(member, lookup(member.ups), now));
  const enough = healthyCount({ ...group, members }, policy) >= policy.minHealthy;
  const allReported = sources.every(({ readings }) => readings.last !== null);
  const quorum = evaluated(group.quorum, { enough, allReported }, now.watchedMs);
  const isOutage = members.some(({ health }) => health === 'CRITICAL') || sources.some(lastOnBattery);
  const after: GroupMemory = { members, quorum, shutdown: group.shutdown };
  tellQuorum(group, after, isOutage, policy, said);
  const demand = quorum.kind === 'lost' && isOutage ? quorumDemand(members, policy) : null;
  const calm = quorum.kind === 'held' && sources.filter(isOnLine).length >= policy.minHealthy;
  const { shutdown, change } = turned(group.shutdown, demand, calm, now.unixSeconds);
  if (change === 'powerReturned') said.powerReturned(policy.groupId);
  if (change === 'started' && demand !== null) {
    said.startSequence(policy.groupId, demand.trigger, demand.why);
    tellGroupStart(demand, policy, said);
  }
  return shown(group, { ...after, shutdown }, lookup, said);
}

export function groupAfterSequence(group: GroupState): GroupState {
  return { ...group, shutdown: sequenceOver(group.shutdown) };
}

function withHealth(member: Member, ups: UpsState | undefined, now: PolicyClock): Member {
  if (ups === undefined) return member;
  const { health, why } = judged(ups, ups.policy, member.met, now);
  return health === member.health && why === member.why ? member : { ...member, health, why };
}

function quorumDemand(members: readonly Member[], { minHealthy }: GroupPolicy): Demand {
  const why = `fewer than ${String(minHealthy)} healthy: ${spokenMembers(members)}`;
  return { trigger: 'QUORUM_LOST', why };
}

/** On line power for certain: seen, no outage, no FSD. */
function isOnLine(ups: UpsState): boolean {
  return ups.connection.sight.kind === 'ok' && ups.readings.last?.source === 'line' && isCalm(ups);
}

function shown(before: GroupState, after: GroupMemory, lookup: Lookup, said: Said): GroupState {
  const { policy } = before;
  if (before.quorum !== after.quorum || before.shutdown !== after.shutdown) said.mustSurvive();
  const row = groupRowOf(policy, after, (groupId) => lookup(groupId)?.policy);
  if (sameGroupRow(row, before.row)) return { ...after, policy, row: before.row };
  said.rowChanged(policy.groupId);
  return { ...after, policy, row };
}
