// The remote servers of a configuration, and how to log in to them.
import type { RemoteTarget, SshAccess } from '../../../shared/protocol/remote.js';
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
  return remoteServersOf(configuration).map(accessOf);
}

/** With the check whether each server is off. */
export function remoteTargetsOf({ ups, redundancyGroups }: Configuration): RemoteTarget[] {
  return [...ups, ...redundancyGroups].flatMap(({ policy, resources }) =>
    resources.remoteServers
      .filter(({ enabled }) => enabled)
      .map((server) => ({
        ...accessOf(server),
        offCheck: {
          method: server.offCheck,
          port: server.offPort,
          settleMs: server.haltSettleSeconds * 1000,
          timeoutMs: server.haltTimeoutSeconds * 1000,
          order: `${policy.groupId}/${String(server.shutdownOrder)}`,
        },
      })),
  );
}

function accessOf(server: RemoteServerConfiguration): SshAccess {
  return {
    server: server.name,
    host: server.host,
    port: server.port,
    user: server.user,
    privateKey: server.privateKey,
    keyTrouble: server.keyWarning,
    knownHostsFile: server.knownHostsFile,
    hostKeyPolicy: server.hostKeyPolicy,
    connectTimeoutMs: server.connectTimeoutSeconds * 1000,
  };
}
