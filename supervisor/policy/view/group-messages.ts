// The texts of events and notifications about a redundancy group.
import type { GroupMemory, Member } from '../state/group-state.js';
import { healthyCount } from '../state/group-state.js';
import type { GroupSettings } from '../base/inputs.js';
import type { EffectCollector } from '../base/effect-collector.js';
import type { ShutdownRequest } from '../base/effects.js';

/** Further members are only counted, and reasons are cut: a detail must fit into a row. */
const maxListed = 8;
const maxWhyLength = 200;

/** The label of a UPS, by its groupId. */
export type LabelOf = (groupId: string) => string;

/** `a CRITICAL (LOW_BATTERY: charge ...), b UNKNOWN (not seen: TIMEOUT), 1 HEALTHY` */
export function formatMembers(members: readonly Member[], labelOf: LabelOf): string {
  const notHealthy = members.filter(({ health }) => health !== 'HEALTHY');
  const parts = notHealthy
    .slice(0, maxListed)
    .map(({ ups, health, why }) => `${labelOf(ups)} ${health} (${why.slice(0, maxWhyLength)})`);
  if (notHealthy.length > maxListed)
    parts.push(`${String(notHealthy.length - maxListed)} more that are not HEALTHY`);
  if (members.length > notHealthy.length) parts.push(`${String(members.length - notHealthy.length)} HEALTHY`);
  return parts.join(', ');
}

export function reportQuorum(
  before: GroupMemory,
  after: GroupMemory,
  isOutage: boolean,
  policy: GroupSettings,
  labelOf: LabelOf,
  effects: EffectCollector,
): void {
  if (after.quorum.kind === before.quorum.kind) return;
  const { groupId, name, minHealthy } = policy;
  const count = `${String(healthyCount(after.members, policy))} count as healthy, ${String(minHealthy)} needed`;
  const members = formatMembers(after.members, labelOf);
  if (after.quorum.kind === 'lost') {
    const meaning = isOutage
      ? 'The shutdown of the group begins.'
      : 'No member is critical and none was seen on battery, so nothing is shut down; check the NUT servers.';
    effects.alert(
      groupId,
      'QUORUM_LOST',
      `${count}: ${members}`,
      `${name} has lost its quorum, ${count}: ${members}. ${meaning}`,
    );
  }
  if (before.quorum.kind === 'lost' && after.quorum.kind === 'held') {
    const text = `${name} has its quorum again, ${count}: ${members}. Nothing needs to be done.`;
    effects.alert(groupId, 'QUORUM_RESTORED', `${count}: ${members}`, text);
  }
}

export function reportGroupStart(
  request: ShutdownRequest,
  { groupId, name }: GroupSettings,
  effects: EffectCollector,
): void {
  effects.alert(groupId, 'SHUTDOWN_TRIGGERED', request.why, `${name}: shutdown begins. ${request.why}.`);
}

/** A member has met a threshold of the group. */
export function reportGroupThreshold(
  { ups }: Member,
  request: ShutdownRequest,
  { name }: GroupSettings,
  effects: EffectCollector,
): void {
  effects.event(ups, 'TRIGGER_ADVISORY', `${request.trigger} by the thresholds of ${name}: ${request.why}`);
}
