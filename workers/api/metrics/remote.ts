// The metrics of the remote servers: the result of their last health probe.
import type { RemoteHealthRow } from '../../../shared/domain/status/status-model.js';
import type { Model } from '../model/model.js';
import type { Family, MetricSample } from './family.js';
import { withLabels, labelText, oneOfStates } from './family.js';

const statuses = ['DISABLED', 'UNKNOWN', 'HEALTHY', 'DEGRADED', 'FAILED'];

export function remoteFamilies(prefix: string, model: Model): readonly Family[] {
  const gauge = (
    suffix: string,
    help: string,
    samplesOf: (row: RemoteHealthRow) => readonly MetricSample[],
  ): Family => ({
    ...{ name: `${prefix}_remote_health_${suffix}`, help, type: 'gauge' },
    samples: () =>
      (model.daemon?.remoteHealth ?? []).flatMap((row) => withLabels(labelsOf(model, row), samplesOf(row))),
  });
  return [
    gauge(
      'status',
      'Health of the remote server at its last probe. One sample per status, 1 for the current one.',
      ({ status }) => oneOfStates('status', statuses, status),
    ),
    gauge(
      'last_success_timestamp_seconds',
      'Unix time of the last probe of the remote server that succeeded.',
      ({ lastSuccessAt }) => [['', lastSuccessAt]],
    ),
    gauge('latency_seconds', 'Time the last probe of the remote server took.', ({ latencyMs }) => [
      ['', latencyMs === null ? null : latencyMs / 1000],
    ]),
  ];
}

function labelsOf(model: Model, { group, groupKind, server, host }: RemoteHealthRow): string {
  const owner =
    groupKind === 'ups'
      ? { ups: model.rowOf(group)?.name ?? group }
      : {
          redundancy_group:
            model.daemon?.redundancyGroups.find(({ groupId }) => groupId === group)?.name ?? group,
        };
  return labelText({ ...owner, server, host });
}
