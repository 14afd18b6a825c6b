// The servers and local resources of a UPS or group as the program uses them.
import { settingsOf } from '../../../shared/domain/base/keys.js';
import type { PreShutdownAction } from '../../../shared/domain/actions/remote-work.js';
import type { RemoteServerConfiguration, ResourcesConfiguration } from '../configuration/configuration.js';
import type { ConfigFile, GroupEntry, ServerEntry, UpsEntry } from '../schema/file.js';
import { localResourceKeys } from '../schema/local-resources.js';
import { remoteServerKeys, shutdownKeys } from '../schema/remote-server.js';
import type { SshKeys } from '../read/ssh-keys.js';

export function resourcesOf(
  { shutdown }: Pick<ConfigFile, 'shutdown'>,
  entry: UpsEntry | GroupEntry,
  keys: SshKeys,
): ResourcesConfiguration {
  const { containers, ...others } = settingsOf(localResourceKeys, entry);
  const composeFiles = containers.composeFiles.map(({ path, stopTimeoutSeconds }) => ({
    path,
    stopTimeoutSeconds: stopTimeoutSeconds ?? containers.stopTimeoutSeconds,
  }));
  return {
    ...others,
    containers: { ...containers, composeFiles },
    remoteServers: (entry.remote_servers ?? []).map((server) => serverOf(shutdown, server, keys)),
  };
}

function serverOf(
  shutdown: ConfigFile['shutdown'],
  entry: ServerEntry,
  keys: SshKeys,
): RemoteServerConfiguration {
  const { wake: _, bootOrder: __, bootCheck: ___, ...server } = settingsOf(remoteServerKeys, entry);
  const off = settingsOf(shutdownKeys, shutdown, entry);
  const key = keys.byServer.get(server.name);
  return {
    ...server,
    ...off,
    privateKey: key?.privateKey ?? null,
    keyWarning: key?.keyWarning ?? null,
    hasWake: entry.wake !== undefined,
    wakeMac: entry.wake?.mac?.toLowerCase().replaceAll('-', ':') ?? null,
    waitFor: off.offCheck === 'none' ? 'commanded' : off.waitFor,
    offPort: off.offPort ?? server.port,
    shutdownCommand: server.hostDelegate ? (entry.shutdown_command ?? null) : server.shutdownCommand,
    preShutdownCommands: server.preShutdownCommands.map((step): PreShutdownAction => {
      const timeoutSeconds = step.timeoutSeconds ?? server.commandTimeoutSeconds;
      return {
        action: step.action ?? 'command',
        command: step.command,
        projects: step.path === null ? [] : [{ path: step.path, timeoutSeconds }],
        mounts: step.mounts ?? [],
        runtime: null,
        uri: null,
        timeoutSeconds,
      };
    }),
  };
}
