// The metrics of the remote servers: the result of their last health probe.
import type { Registry } from 'prom-client';
import type { RemoteHealthRow } from '../../../shared/domain/status/status-model.js';
import type { Model } from '../model/model.js';
import type { Labels, Sample } from './sample.js';
import { derive, oneOfStates } from './sample.js';

const statuses = ['DISABLED', 'UNKNOWN', 'HEALTHY', 'DEGRADED', 'FAILED'];

export function registerRemoteMetrics(registry: Registry, prefix: string, model: Model): void {
  const gauge = (name: string, help: string, samples: () => readonly Sample[]): void =>
    derive(registry, { name, help, type: 'gauge', samples });
  gauge(
    `${prefix}_remote_health_status`,
    'Health of the remote server at its last probe. One sample per status, 1 for the current one.',
    () => servers(model).flatMap(({ labels, row }) => oneOfStates(labels, 'status', statuses, row.status)),
  );
  gauge(
    `${prefix}_remote_health_last_success_timestamp_seconds`,
    'Unix time of the last probe of the remote server that succeeded.',
    () => servers(model).map(({ labels, row }) => ({ labels, value: row.lastSuccessAt })),
  );
  gauge(`${prefix}_remote_health_latency_seconds`, 'Time the last probe of the remote server took.', () =>
    servers(model).map(({ labels, row: { latencyMs } }) => ({
      labels,
      value: latencyMs === null ? null : latencyMs / 1000,
    })),
  );
}

interface Server {
  readonly labels: Labels;
  readonly row: RemoteHealthRow;
}

function servers(model: Model): readonly Server[] {
  return (model.daemon?.remoteHealth ?? []).map((row) => {
    const { group, groupKind, server, host } = row;
    return { labels: { ...ownerLabel(model, groupKind, group), server, host }, row };
  });
}

function ownerLabel(model: Model, kind: RemoteHealthRow['groupKind'], groupId: string): Labels {
  if (kind === 'ups') return { ups: model.rowOf(groupId)?.name ?? groupId };
  const group = model.daemon?.redundancyGroups.find((row) => row.groupId === groupId);
  return { redundancy_group: group?.name ?? groupId };
}
