// The remote-health row of every configured server before anything is known of it.
import type { RemoteHealthRow } from '../shared/domain/status-model.js';
import type { Configuration, RemoteServerConfiguration } from './config/configuration.js';

/** UNKNOWN until a first probe has ended; DISABLED where none ever will be made. */
export function unprobedServers(configuration: Configuration): readonly RemoteHealthRow[] {
  const probed = configuration.summary.remoteHealth.enabled;
  const row = (
    server: RemoteServerConfiguration,
    group: string,
    groupKind: RemoteHealthRow['groupKind'],
  ): RemoteHealthRow => ({
    server: server.name,
    host: server.host,
    user: server.user,
    group,
    groupKind,
    status: probed && server.enabled ? 'UNKNOWN' : 'DISABLED',
    lastCheckedAt: null,
    lastSuccessAt: null,
    lastError: null,
    latencyMs: null,
    consecutiveFailures: 0,
  });
  return [
    ...configuration.ups.flatMap(({ policy, resources }) =>
      resources.remoteServers.map((server) => row(server, policy.groupId, 'ups')),
    ),
    ...configuration.redundancyGroups.flatMap(({ policy, resources }) =>
      resources.remoteServers.map((server) => row(server, policy.groupId, 'redundancy')),
    ),
  ];
}
