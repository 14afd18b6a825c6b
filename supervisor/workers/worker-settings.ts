// What each worker is told of the configuration: its own slice and nothing else.
import { version } from '../../shared/domain/version.js';
import type { ApiSlice } from '../../shared/protocol/api.js';
import type { MqttSlice } from '../../shared/protocol/mqtt.js';
import type { NotifySlice } from '../../shared/protocol/notify.js';
import type { LogSlice } from '../../shared/protocol/log.js';
import type { PollerSlice } from '../../shared/protocol/poller.js';
import type { RemoteSlice } from '../../shared/protocol/remote.js';
import type { StorageSlice } from '../../shared/protocol/storage.js';
import type {
  Configuration,
  RemoteServerConfiguration,
  UpsConfiguration,
} from '../config/configuration/configuration.js';

export function logSlice({ logging, secrets }: Configuration): LogSlice {
  return { ...logging, secrets: [...secrets] };
}

export function storageSlice({ statistics }: Configuration): StorageSlice {
  const { directory, enabled, retention } = statistics;
  return { directory, enabled, retention };
}

export function apiSlice(configuration: Configuration, controlSocket: string): ApiSlice {
  const { api, metricsEnabled, summary } = configuration;
  return {
    version,
    listen: api.enabled ? { bind: api.bind, port: api.port } : null,
    allowedHosts: [...api.allowedHosts],
    controlSocket,
    metricsEnabled,
    summary,
    auth: { ...api.auth },
    statistics: storageSlice(configuration),
  };
}

export function notifySlice({ notifications }: Configuration): NotifySlice {
  const { services, title, timeoutMs, retryIntervalMs, retryBackoffMaxMs } = notifications;
  const { maxAttempts, maxAgeSeconds, maxPending } = notifications;
  return {
    services: services.map(({ id, name, url }) => ({ id, name, url })),
    title,
    timeoutMs,
    retryIntervalMs,
    retryBackoffMaxMs,
    maxAttempts,
    maxAgeSeconds,
    maxPending,
  };
}

export function mqttSlice({ mqtt }: Configuration): MqttSlice {
  const { enabled, broker, topicPrefix, publishIntervalMs, discovery, availability } = mqtt;
  return {
    broker: enabled ? { ...broker } : null,
    topicPrefix,
    publishIntervalMs,
    discovery,
    availability,
  };
}

export function pollerSlice(
  { nut }: Configuration,
  { policy, address, control, output }: UpsConfiguration,
): PollerSlice {
  return {
    name: policy.name,
    groupId: policy.groupId,
    ups: address.ups,
    host: address.host,
    port: address.port,
    transport: policy.transport,
    checkIntervalMs: policy.checkIntervalMs,
    pollDeadlineMs: policy.pollDeadlineMs,
    tls: { mode: nut.tls, caPem: nut.caPem, pinSha256: nut.pinSha256 },
    control:
      control === null
        ? null
        : {
            ...control,
            allowedCommands: [...control.allowedCommands],
            allowedVariables: [...control.allowedVariables],
          },
    output,
  };
}

/** Every enabled server of every group, for whom a plan may ask at any time. */
export function remoteServersOf({
  ups,
  redundancyGroups,
}: Configuration): readonly RemoteServerConfiguration[] {
  const servers = [...ups, ...redundancyGroups].flatMap(({ resources }) => resources.remoteServers);
  return servers.filter(({ enabled }) => enabled);
}

export function remoteSlice(configuration: Configuration): RemoteSlice {
  return {
    servers: remoteServersOf(configuration).map((server) => ({
      server: server.name,
      host: server.host,
      port: server.port,
      user: server.user,
      privateKey: server.privateKey,
      keyTrouble: server.keyWarning,
      knownHostsFile: server.knownHostsFile,
      hostKeyPolicy: server.hostKeyPolicy,
      connectTimeoutMs: server.connectTimeoutSeconds * 1000,
    })),
  };
}
