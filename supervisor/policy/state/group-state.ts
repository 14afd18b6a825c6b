// The state of one redundancy group.
import type { MemberHealth } from '../../../shared/domain/status/states.js';
import type { RedundancyRow } from '../../../shared/domain/status/status-model.js';
import type { Debounce } from './member-health.js';
import { effective, noDebounce } from './member-health.js';
import type { GroupSettings, UpsSettings } from '../base/inputs.js';
import type { Quorum } from './quorum.js';
import type { Shutdown } from '../trigger/shutdown.js';
import { armed } from '../trigger/shutdown.js';
import type { Confirmed, LatchedTrigger } from '../trigger/trigger-confirmations.js';
import { nothingConfirmed } from '../trigger/trigger-confirmations.js';

/** A member with the thresholds of the group, which may differ from its own. */
export interface Member {
  /** groupId of the UPS. */
  readonly ups: string;
  readonly confirmed: Confirmed;
  readonly met: LatchedTrigger | null;
  readonly shown: Debounce;
  /** From the last evaluation, with its reason. */
  readonly health: MemberHealth;
  readonly why: string;
}

/** What must survive a restart in an outage. Plain data. */
export interface GroupMemory {
  readonly members: readonly Member[];
  readonly quorum: Quorum;
  readonly shutdown: Shutdown;
}

export interface GroupState extends GroupMemory {
  readonly policy: GroupSettings;
  readonly row: RedundancyRow;
}

export function newGroup(policy: GroupSettings, watchedMs: number): GroupMemory {
  return {
    members: policy.members.map(newMember),
    quorum: { kind: 'starting', sinceWatchedMs: watchedMs },
    shutdown: armed,
  };
}

export function newMember(ups: string): Member {
  return {
    ups,
    confirmed: nothingConfirmed,
    met: null,
    shown: noDebounce,
    health: 'UNKNOWN',
    why: 'not evaluated yet',
  };
}

export function healthyCount(members: readonly Member[], policy: GroupSettings): number {
  return members.filter(({ health }) => effective(health, policy) === 'HEALTHY').length;
}

/** `names` gives the policy of a UPS by its groupId. */
export function groupRowOf(
  policy: GroupSettings,
  group: GroupMemory,
  names: (groupId: string) => UpsSettings | undefined,
): RedundancyRow {
  const nameOf = (groupId: string) => names(groupId)?.name ?? groupId;
  return {
    groupId: policy.groupId,
    name: policy.name,
    upsSources: policy.members.map(nameOf),
    minHealthy: policy.minHealthy,
    healthyCount: healthyCount(group.members, policy),
    quorumLost: group.quorum.kind === 'lost',
    quorumDeferred: group.quorum.kind === 'starting',
    members: group.members.map(({ ups, health }) => ({
      name: nameOf(ups),
      health,
      effectiveHealth: effective(health, policy),
    })),
    isLocal: policy.isLocal,
    shutsDown: { host: false, servers: [] },
    remoteHealth: [],
  };
}
