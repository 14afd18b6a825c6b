// The remote servers of a configuration, and how to log in to them.
import type { SshAccess } from '../../../shared/protocol/remote.js';
import type { Configuration, RemoteServerConfiguration } from '../configuration/configuration.js';

/** Every enabled server of every group: a plan may need any of them at any time. */
export function remoteServersOf({
  ups,
  redundancyGroups,
}: Configuration): readonly RemoteServerConfiguration[] {
  const servers = [...ups, ...redundancyGroups].flatMap(({ resources }) => resources.remoteServers);
  return servers.filter(({ enabled }) => enabled);
}

export function sshAccessOf(configuration: Configuration): SshAccess[] {
  return remoteServersOf(configuration).map((server) => ({
    server: server.name,
    host: server.host,
    port: server.port,
    user: server.user,
    privateKey: server.privateKey,
    keyTrouble: server.keyWarning,
    knownHostsFile: server.knownHostsFile,
    hostKeyPolicy: server.hostKeyPolicy,
    connectTimeoutMs: server.connectTimeoutSeconds * 1000,
  }));
}
