// The plan of every group of a configuration. A group is a redundancy group, or a UPS that starts a sequence of its own.
import type { Plan } from '../../../shared/domain/outage/plan.js';
import type {
  Configuration,
  RemoteServerConfiguration,
  ResourcesConfiguration,
} from '../configuration/configuration.js';
import type { LocalSettings, PlanSettings, ServerSettings } from '../../policy/plan/settings.js';
import { planOf } from '../../policy/plan/plan.js';

/** A redundancy group, or a UPS that starts a sequence. */
export interface PlanGroup {
  readonly groupId: string;
  readonly label: string;
  readonly isLocal: boolean;
  /** A UPS that is a member of redundancy groups and owns something besides. */
  readonly isMember: boolean;
  /** groupIds of its UPSes. */
  readonly fedBy: readonly string[];
  readonly minHealthy: number;
  readonly resources: ResourcesConfiguration;
}

/** Cached: the read model requests it ten times a second, and the plans of a thousand UPSes are slow to build. */
const known = new WeakMap<Configuration, readonly Plan[]>();

/** One plan for each group, in configuration order, UPSes first. The same objects for the same configuration. */
export function plansOf(configuration: Configuration): readonly Plan[] {
  const before = known.get(configuration);
  if (before !== undefined) return before;
  const groups = groupsOf(configuration);
  const plans = groups.map((group) => planOfGroup(configuration, group, groups));
  known.set(configuration, plans);
  return plans;
}

export function planOfGroup(configuration: Configuration, group: PlanGroup, all: readonly PlanGroup[]): Plan {
  return planOf(settingsOf(configuration, group, all));
}

function settingsOf(configuration: Configuration, group: PlanGroup, all: readonly PlanGroup[]): PlanSettings {
  const { localShutdown, dryRun, inContainer } = configuration;
  const { groupId, label, isLocal, fedBy, resources } = group;
  const powersOffHost = groupPowersOffHost(configuration, group, all);
  const drained = powersOffHost && localShutdown.drainOnLocalShutdown;
  return {
    group: groupId,
    label,
    fedBy,
    local: isLocal ? localOf(resources) : null,
    servers: [group, ...(drained ? all.filter((other) => other !== group) : [])].map((owner) => ({
      group: owner.groupId,
      servers: plannedServers(owner.resources).map(serverOf),
    })),
    waitsForTargets:
      localShutdown.enabled && (localShutdown.waitForTargets || outputsOf(configuration, fedBy).length > 0),
    upsOutputs: localShutdown.enabled ? outputsOf(configuration, fedBy) : [],
    primaries: configuration.ups
      .filter(({ policy, role }) => role === 'primary' && fedBy.includes(policy.groupId))
      .map(({ policy }) => ({ ups: policy.groupId, label: policy.label })),
    hostsyncSeconds: configuration.nut.hostsyncSeconds,
    powerdownFlag: localShutdown.powerdownFlag,
    keepsRecord: configuration.recovery.enabled,
    powersOffHost,
    poweroff: {
      command: localShutdown.command,
      message: localShutdown.message,
      fallback: localShutdown.fallbackCommand,
      ...(configuration.recovery.enabled ? { restart: localShutdown.restartCommand } : {}),
      wall: localShutdown.wall,
    },
    delegate: isLocal && inContainer ? delegateWithRestart(configuration, resources) : null,
    dryRun,
  };
}

/** If a group powers this host, only that group powers it off; without one, `trigger_on` decides, and no member counts. */
export function groupPowersOffHost(
  { localShutdown }: Configuration,
  { isLocal, isMember }: PlanGroup,
  all: readonly PlanGroup[],
): boolean {
  if (!localShutdown.enabled) return false;
  return all.some((other) => other.isLocal) ? isLocal : localShutdown.triggerOn === 'any' && !isMember;
}

export function groupsOf({ ups, redundancyGroups }: Configuration): readonly PlanGroup[] {
  const single = ups
    .filter(({ policy }) => !policy.advisory)
    .map(({ policy, resources }) => ({
      ...policy,
      isMember: policy.groups.length > 0,
      fedBy: [policy.groupId],
      minHealthy: 1,
      resources,
    }));
  const redundant = redundancyGroups.map(({ policy, resources }) => ({
    ...policy,
    label: policy.name,
    isMember: false,
    fedBy: policy.members,
    resources,
  }));
  return [...single, ...redundant];
}

const serversOf = ({ remoteServers }: ResourcesConfiguration) =>
  remoteServers.filter(({ enabled }) => enabled);

/** The servers with a step of their own: the host delegate is this host. */
export function plannedServers(resources: ResourcesConfiguration): readonly RemoteServerConfiguration[] {
  return serversOf(resources).filter(({ hostDelegate }) => !hostDelegate);
}

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
    haltTimeoutSeconds: server.waitFor === 'off' ? server.haltTimeoutSeconds : null,
  };
}

/** The host of this container. Outside a container the delegate is this host, which has its own power-off step. */
export function delegateOf(resources: ResourcesConfiguration): ServerSettings | null {
  const delegate = serversOf(resources).find(({ hostDelegate }) => hostDelegate);
  return delegate === undefined ? null : serverOf(delegate);
}

function delegateWithRestart(
  { recovery }: Configuration,
  resources: ResourcesConfiguration,
): ServerSettings | null {
  const delegate = delegateOf(resources);
  const restart = serversOf(resources).find(({ hostDelegate }) => hostDelegate)?.restartCommand ?? null;
  return delegate === null || restart === null || !recovery.enabled ? delegate : { ...delegate, restart };
}

function localOf({ virtualMachines, containers, filesystems }: ResourcesConfiguration): LocalSettings {
  return {
    virtualMachines: virtualMachines.enabled ? virtualMachines : null,
    containers: containers.enabled
      ? {
          ...containers,
          compose: containers.composeFiles,
          allRemaining: containers.shutdownAllRemainingContainers,
        }
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
