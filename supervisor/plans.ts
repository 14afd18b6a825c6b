// The plan of every group of a configuration. A group is a UPS that is no member of a redundancy group, or such a group.
import type { Plan } from '../shared/domain/plan.js';
import type { Configuration } from './config/configuration.js';
import { planOf } from './policy/plan.js';

interface Group {
  readonly groupId: string;
  readonly label: string;
  readonly isLocal: boolean;
}

/** One plan for each group, in configuration order, UPSes first. */
export function plansOf(configuration: Configuration): readonly Plan[] {
  const groups = groupsOf(configuration);
  const someGroupIsLocal = groups.some(({ isLocal }) => isLocal);
  const { localShutdown, dryRun } = configuration;
  return groups.map(({ groupId, label, isLocal }) =>
    planOf({
      group: groupId,
      label,
      // Where one group feeds this host, only its end is this host's end; where none does, `trigger_on` decides.
      powersHost: localShutdown.enabled && (someGroupIsLocal ? isLocal : localShutdown.triggerOn === 'any'),
      poweroff: {
        command: localShutdown.command,
        message: localShutdown.message,
        fallback: localShutdown.fallbackCommand,
        wall: localShutdown.wall,
      },
      dryRun,
    }),
  );
}

function groupsOf({ ups, redundancyGroups }: Configuration): readonly Group[] {
  const single = ups.map(({ policy }) => policy).filter(({ advisory }) => !advisory);
  const redundant = redundancyGroups.map(({ policy }) => ({ ...policy, label: policy.name }));
  return [...single, ...redundant];
}
