// The part of a simulated daemon's configuration that says what each group shuts down.
import type {
  Configuration,
  OutputConfiguration,
  RemoteServerConfiguration,
  ResourcesConfiguration,
} from '../../../supervisor/config/configuration/configuration.js';
import type { Site } from '../scenario.js';
import type { Plant, ServerSpec } from './plant.js';

/** `base`: empty resources of a group. */
export function resourcesOf(
  plant: Plant,
  { groupId, isLocal }: { readonly groupId: string; readonly isLocal: boolean },
  base: ResourcesConfiguration,
): ResourcesConfiguration {
  const remoteServers = plant.servers.filter(({ owner }) => owner === groupId).map(serverOf);
  if (!isLocal) return { ...base, remoteServers };
  const { machines, containers, unmounts, sync, delegate } = plant;
  return {
    remoteServers: [...remoteServers, ...(delegate === null ? [] : [delegateOf(delegate)])],
    virtualMachines: { enabled: machines !== null, maxWaitSeconds: machines?.maxWaitSeconds ?? 0, uri: null },
    containers: {
      enabled: containers !== null,
      runtime: 'podman',
      stopTimeoutSeconds: containers?.stopSeconds ?? 0,
      composeFiles: (containers?.projects ?? []).map(({ path, stopSeconds }) => ({
        path,
        stopTimeoutSeconds: stopSeconds,
      })),
      shutdownAllRemainingContainers: containers?.remaining ?? false,
      includeUserContainers: false,
    },
    filesystems: {
      syncEnabled: sync !== null,
      unmount: {
        enabled: unmounts !== null,
        timeoutSeconds: unmounts?.timeoutSeconds ?? 0,
        mounts: (unmounts?.paths ?? []).map((path) => ({ path, options: '' })),
      },
    },
  };
}

export function outputOf(
  { plant: { outputs }, restart }: Pick<Site, 'plant' | 'restart'>,
  ups: string,
): OutputConfiguration | null {
  const output = outputs.find((one) => one.ups === ups);
  if (output === undefined) return null;
  const { offDelaySeconds } = output;
  return {
    username: 'admin',
    password: 'simulated',
    command: 'shutdown.return',
    cyclesOnMains: restart?.known.includes(ups) === true,
    offDelaySeconds,
  };
}

export function localShutdownOf(
  { wall, drain }: Plant,
  base: Configuration['localShutdown'],
): Configuration['localShutdown'] {
  return { ...base, wall: wall !== null, drainOnLocalShutdown: drain };
}

/** Its host powers off with the command of the daemon's configuration. */
function delegateOf(server: ServerSpec): RemoteServerConfiguration {
  return { ...serverOf(server), hostDelegate: true, shutdownCommand: null };
}

function serverOf(server: ServerSpec): RemoteServerConfiguration {
  return {
    name: server.name,
    enabled: true,
    host: `${server.name}.simulated`,
    port: 22,
    user: 'root',
    sshKeyPath: null,
    privateKey: null,
    keyWarning: null,
    hasWake: false,
    wakeMac: null,
    bootTimeoutSeconds: 300,
    knownHostsFile: '/nowhere',
    hostKeyPolicy: 'strict',
    connectTimeoutSeconds: server.connectSeconds,
    commandTimeoutSeconds: server.commandSeconds,
    shutdownOrder: server.order,
    when: server.when,
    shutdownSafetyMarginSeconds: server.marginSeconds,
    waitFor: server.haltSeconds === null ? 'commanded' : 'off',
    haltTimeoutSeconds: server.haltSeconds ?? 120,
    haltSettleSeconds: 10,
    offCheck: 'tcp',
    offPort: 22,
    useSudo: false,
    shutdownCommand: 'simulated-shutdown',
    hostDelegate: false,
    restartCommand: null,
    preShutdownCommands: server.actionSeconds.map((timeoutSeconds) => ({
      action: 'command',
      command: 'simulated-work',
      projects: [],
      mounts: [],
      runtime: null,
      uri: null,
      timeoutSeconds,
    })),
  };
}
