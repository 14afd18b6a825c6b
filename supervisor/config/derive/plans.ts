// The plan of every group of a configuration. A group is a redundancy group, or a UPS outside of all of them.
import type { Plan } from '../../../shared/domain/plan.js';
import type {
  Configuration,
  RemoteServerConfiguration,
  ResourcesConfiguration,
} from '../configuration/configuration.js';
import type { LocalSettings, PlanSettings, ServerSettings } from '../../policy/plan/settings.js';
import { planOf } from '../../policy/plan/plan.js';

interface Group {
  readonly groupId: string;
  readonly label: string;
  readonly isLocal: boolean;
  /** groupIds of its UPSes. */
  readonly fedBy: readonly string[];
  readonly resources: ResourcesConfiguration;
}

/** Cached: the read model requests it ten times a second, and the plans of a thousand UPSes are slow to build. */
const known = new WeakMap<Configuration, readonly Plan[]>();

/** One plan for each group, in configuration order, UPSes first. The same objects for the same configuration. */
export function plansOf(configuration: Configuration): readonly Plan[] {
  const before = known.get(configuration);
  if (before !== undefined) return before;
  const groups = groupsOf(configuration);
  const plans = groups.map((group) => planOf(settingsOf(configuration, group, groups)));
  known.set(configuration, plans);
  return plans;
}

function settingsOf(configuration: Configuration, group: Group, all: readonly Group[]): PlanSettings {
  const { localShutdown, dryRun, inContainer } = configuration;
  const { groupId, label, isLocal, fedBy, resources } = group;
  const someGroupIsLocal = all.some((other) => other.isLocal);
  // If a group powers this host, only that group powers it off; without one, `trigger_on` decides.
  const endsHost = someGroupIsLocal ? isLocal : localShutdown.triggerOn === 'any';
  const powersHost = localShutdown.enabled && endsHost;
  const drained = powersHost && localShutdown.drainOnLocalShutdown;
  return {
    group: groupId,
    label,
    fedBy,
    local: isLocal ? localOf(resources) : null,
    servers: [group, ...(drained ? all.filter((other) => other !== group) : [])].map((owner) => ({
      group: owner.groupId,
      servers: serversOf(owner.resources)
        .filter(({ hostDelegate }) => !hostDelegate)
        .map(serverOf),
    })),
    upsOutputs: localShutdown.enabled ? outputsOf(configuration, fedBy) : [],
    powersHost,
    poweroff: {
      command: localShutdown.command,
      message: localShutdown.message,
      fallback: localShutdown.fallbackCommand,
      wall: localShutdown.wall,
    },
    delegate: isLocal && inContainer ? delegateOf(resources) : null,
    dryRun,
  };
}

function groupsOf({ ups, redundancyGroups }: Configuration): readonly Group[] {
  const single = ups
    .filter(({ policy }) => !policy.advisory)
    .map(({ policy, resources }) => ({ ...policy, fedBy: [policy.groupId], resources }));
  const redundant = redundancyGroups.map(({ policy, resources }) => ({
    ...policy,
    label: policy.name,
    fedBy: policy.members,
    resources,
  }));
  return [...single, ...redundant];
}

const serversOf = ({ remoteServers }: ResourcesConfiguration) =>
  remoteServers.filter(({ enabled }) => enabled);

function serverOf(server: RemoteServerConfiguration): ServerSettings {
  return {
    work: {
      server: server.name,
      host: server.host,
      port: server.port,
      user: server.user,
      useSudo: server.useSudo,
      connectTimeoutSeconds: server.connectTimeoutSeconds,
      actions: server.preShutdownCommands,
      final: server.shutdownCommand,
      commandTimeoutSeconds: server.commandTimeoutSeconds,
    },
    order: server.shutdownOrder,
    when: server.when,
    marginSeconds: server.shutdownSafetyMarginSeconds,
  };
}

/** The host of this container. Outside a container the delegate is this host, which has its own power-off step. */
function delegateOf(resources: ResourcesConfiguration): ServerSettings | null {
  const delegate = serversOf(resources).find(({ hostDelegate }) => hostDelegate);
  return delegate === undefined ? null : serverOf(delegate);
}

function localOf({ virtualMachines, containers, filesystems }: ResourcesConfiguration): LocalSettings {
  return {
    virtualMachines: virtualMachines.enabled ? virtualMachines : null,
    containers: containers.enabled
      ? { ...containers, compose: containers.composeFiles, allRemaining: containers.shutdownAllRemaining }
      : null,
    sync: filesystems.syncEnabled,
    unmount: {
      mounts: filesystems.unmount.enabled ? filesystems.unmount.mounts : [],
      timeoutSeconds: filesystems.unmount.timeoutSeconds,
    },
  };
}

function outputsOf({ ups }: Configuration, fedBy: readonly string[]): PlanSettings['upsOutputs'] {
  return ups.flatMap(({ policy, output }) =>
    output !== null && fedBy.includes(policy.groupId)
      ? [
          {
            ups: policy.groupId,
            label: policy.label,
            command: output.command,
            offDelaySeconds: output.offDelaySeconds,
          },
        ]
      : [],
  );
}
