// The settings of remote health, from a configuration.
import type { ProberSettings } from '../../../shared/protocol/prober.js';
import type { Configuration, RemoteServerConfiguration } from '../../config/configuration/configuration.js';
import type { HealthSettings, ProbedServer } from './state.js';

/** `settings`: the prober's settings of the same configuration. */
export function healthSettings(
  configuration: Configuration,
  { servers: sshAccess, works, probeCommand }: ProberSettings,
  seed: string,
): HealthSettings {
  const { enabled, startupCheck, intervalMs, failureThreshold, notifyOnFailure, notifyOnRecovery } =
    configuration.remoteHealth;
  const accessTexts = new Map(
    sshAccess.map((access) => {
      const work = works.find(({ server }) => server === access.server) ?? null;
      return [access.server, JSON.stringify([access, probeCommand, work])];
    }),
  );
  const probed = (
    server: RemoteServerConfiguration,
    group: string,
    groupKind: ProbedServer['groupKind'],
  ): ProbedServer => ({
    name: server.name,
    host: server.host,
    user: server.user,
    group,
    groupKind,
    probed: enabled && server.enabled,
    place: `${server.user}@${server.host}:${String(server.port)}`,
    access: accessTexts.get(server.name) ?? '',
    connectTimeoutMs: server.connectTimeoutSeconds * 1000,
  });
  return {
    servers: [
      ...configuration.ups.flatMap(({ policy, resources }) =>
        resources.remoteServers.map((server) => probed(server, policy.groupId, 'ups')),
      ),
      ...configuration.redundancyGroups.flatMap(({ policy, resources }) =>
        resources.remoteServers.map((server) => probed(server, policy.groupId, 'redundancy')),
      ),
    ],
    startupCheck,
    intervalMs,
    failureThreshold,
    notifyOnFailure,
    notifyOnRecovery,
    seed,
  };
}
