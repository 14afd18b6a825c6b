// Ways to break redundancy groups.
import type { Breakage } from './breakage.js';

export const groupBreakages: readonly Breakage[] = [
  {
    name: 'one member too few is enough for the quorum',
    file: 'supervisor/policy/group.ts',
    find: 'enough: healthyCount({ ...group, members: proven }, policy) >= policy.minHealthy,',
    replace: 'enough: healthyCount({ ...group, members: proven }, policy) >= policy.minHealthy - 1,',
  },
  {
    name: 'a quorum that is just met counts as lost',
    file: 'supervisor/policy/group.ts',
    find: 'enough: healthyCount({ ...group, members: proven }, policy) >= policy.minHealthy,',
    replace: 'enough: healthyCount({ ...group, members: proven }, policy) > policy.minHealthy,',
  },
  {
    name: 'the mapping of degraded members is swapped',
    file: 'supervisor/policy/member-health.ts',
    find: "return policy.degradedCountsAs === 'healthy' ? 'HEALTHY' : 'CRITICAL';",
    replace: "return policy.degradedCountsAs === 'healthy' ? 'CRITICAL' : 'HEALTHY';",
  },
  {
    name: 'the mapping of unknown members is swapped',
    file: 'supervisor/policy/member-health.ts',
    find: "return policy.unknownCountsAs === 'healthy' ? 'HEALTHY' : 'CRITICAL';",
    replace: "return policy.unknownCountsAs === 'healthy' ? 'CRITICAL' : 'HEALTHY';",
  },
  {
    name: 'one evaluation is enough to lose the quorum',
    file: 'supervisor/policy/quorum.ts',
    find: "    case 'held':\n      return votes.enough ? held : doubted;",
    replace: "    case 'held':\n      return votes.enough ? held : lost;",
  },
  {
    name: 'a cold start is not waited for',
    file: 'supervisor/policy/quorum.ts',
    find: 'if (!votes.allReported && watchedMs - quorum.sinceWatchedMs < coldStartMs) return quorum;',
    replace: '',
  },
  {
    name: 'lost monitoring alone brings a group down',
    file: 'supervisor/policy/group.ts',
    find: "const request = quorum.kind === 'lost' && isOutage ?",
    replace: "const request = quorum.kind === 'lost' ?",
  },
  {
    name: 'the self test of a member is an outage of its group',
    file: 'supervisor/policy/member-health.ts',
    find: " && inhibitedBy(ups.holds, 'LOW_BATTERY', last.monotonicMs) === null;",
    replace: ';',
  },
  {
    name: 'one reading shows a member to be on battery',
    file: 'supervisor/policy/member-health.ts',
    find: 'return onBattery >= enoughReadings;',
    replace: 'return onBattery >= 1;',
  },
  {
    name: 'a member is critical as soon as it shows OFF',
    file: 'supervisor/policy/member-health.ts',
    find: "return last.monotonicMs - offSinceMs >= offLimitMs ? 'its output is off' : null;",
    replace: "return 'its output is off';",
  },
  {
    name: 'a group re-arms while its members are on battery',
    file: 'supervisor/policy/group.ts',
    find: 'return policy.members.filter((groupId) => isOnLine(lookup(groupId))).length >= policy.minHealthy;',
    replace: 'return true;',
  },
  {
    name: 'the thresholds of the group are those of its members',
    file: 'supervisor/policy/group.ts',
    find: "met: ups.line.kind === 'outage' ? member.met : null,",
    replace: 'met: null,',
  },
];
