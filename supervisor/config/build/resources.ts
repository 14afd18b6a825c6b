// Converts the resources of a UPS or group from the keys of the file to the names of the program.
import type { PreShutdownAction } from '../../../shared/domain/actions/remote-work.js';
import type { RemoteServerConfiguration, ResourcesConfiguration } from '../configuration/configuration.js';
import type { ConfigFile, GroupEntry, ServerEntry, UpsEntry } from '../schema/file.js';
import { withDefaults } from '../schema/key.js';
import type { ComposeEntry, MountEntry } from '../schema/local-resources.js';
import { localResourceKeys } from '../schema/local-resources.js';
import { preShutdownKeys, remoteServerKeys, shutdownKeys } from '../schema/remote-server.js';
import type { SshKeys } from '../read/ssh-keys.js';

export function buildResources(
  { shutdown }: Pick<ConfigFile, 'shutdown'>,
  entry: UpsEntry | GroupEntry,
  keys: SshKeys,
): ResourcesConfiguration {
  const { virtual_machines: machines, containers, filesystems } = withDefaults(localResourceKeys, entry);
  const compose: readonly ComposeEntry[] = containers.compose_files;
  return {
    remoteServers: (entry.remote_servers ?? []).map((server) => serverOf(shutdown, server, keys)),
    virtualMachines: { enabled: machines.enabled, maxWaitSeconds: machines.max_wait, uri: machines.uri },
    containers: {
      enabled: containers.enabled,
      runtime: containers.runtime,
      stopTimeoutSeconds: containers.stop_timeout,
      composeFiles: compose.map(({ path, stop_timeout }) => ({
        path,
        stopTimeoutSeconds: stop_timeout ?? containers.stop_timeout,
      })),
      shutdownAllRemaining: containers.shutdown_all_remaining_containers,
      includeUserContainers: containers.include_user_containers,
    },
    filesystems: {
      syncEnabled: filesystems.sync_enabled,
      unmount: {
        enabled: filesystems.unmount.enabled,
        timeoutSeconds: filesystems.unmount.timeout,
        mounts: mountsOf(filesystems.unmount.mounts),
      },
    },
  };
}

function serverOf(
  shutdown: ConfigFile['shutdown'],
  entry: ServerEntry,
  keys: SshKeys,
): RemoteServerConfiguration {
  const server = withDefaults(remoteServerKeys, entry);
  const off = withDefaults(shutdownKeys, shutdown, entry);
  const key = keys.byServer.get(server.name);
  const commands = server.pre_shutdown_commands.map((given): PreShutdownAction => {
    const step = withDefaults(preShutdownKeys, given);
    const timeoutSeconds = step.timeout ?? server.command_timeout;
    return {
      action: step.action ?? 'command',
      command: step.command,
      projects: step.path === null ? [] : [{ path: step.path, timeoutSeconds }],
      mounts: mountsOf(step.mounts ?? []),
      runtime: null,
      uri: null,
      timeoutSeconds,
    };
  });
  return {
    name: server.name,
    enabled: server.enabled,
    host: server.host,
    port: server.port,
    user: server.user,
    sshKeyPath: server.ssh_key_path,
    privateKey: key?.privateKey ?? null,
    keyWarning: key?.keyWarning ?? null,
    knownHostsFile: server.known_hosts_file,
    hostKeyPolicy: server.host_key_policy,
    connectTimeoutSeconds: server.connect_timeout,
    commandTimeoutSeconds: server.command_timeout,
    shutdownOrder: server.shutdown_order,
    when: server.when,
    shutdownSafetyMarginSeconds: server.shutdown_safety_margin,
    waitFor: off.off_check === 'none' ? 'commanded' : off.wait_for,
    haltTimeoutSeconds: off.halt_timeout,
    haltSettleSeconds: off.halt_settle,
    offCheck: off.off_check,
    offPort: off.off_port ?? server.port,
    useSudo: server.use_sudo,
    shutdownCommand: server.host_delegate ? (entry.shutdown_command ?? null) : server.shutdown_command,
    hostDelegate: server.host_delegate,
    preShutdownCommands: commands,
  };
}

function mountsOf(mounts: readonly MountEntry[]): readonly { path: string; options: string }[] {
  return mounts.map(({ path, options }) => ({ path, options: options ?? '' }));
}
