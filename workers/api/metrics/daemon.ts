// The metrics of the daemon: version, workers, groups, a running shutdown, MQTT.
import type { Registry } from 'prom-client';
import { flushSecondsBounds } from '../../../shared/protocol/storage.js';
import type { NotificationTelemetry } from '../../../shared/protocol/api.js';
import type { Model } from '../model/model.js';
import type { Sample } from './sample.js';
import { derive, histogram } from './sample.js';

export function registerDaemonMetrics(
  registry: Registry,
  prefix: string,
  version: string,
  model: Model,
  isDryRun: () => boolean,
): void {
  const gauge = (name: string, help: string, samples: () => readonly Sample[]): void =>
    derive(registry, { name, help, type: 'gauge', samples });
  const groups = (): readonly (readonly [{ redundancy_group: string }, number, boolean])[] =>
    (model.daemon?.redundancyGroups ?? []).map((group) => [
      { redundancy_group: group.name },
      group.healthyCount,
      group.quorumLost,
    ]);

  gauge(`${prefix}_up`, 'The API serves metrics; always 1.', () => [{ labels: {}, value: 1 }]);
  gauge(`${prefix}_build_info`, 'Version of the daemon; always 1.', () => [
    { labels: { version }, value: 1 },
  ]);
  gauge(`${prefix}_shutdown_in_progress`, '1 while a shutdown sequence runs, a dry run included.', () => [
    { labels: {}, value: model.daemon === null ? null : Number(model.daemon.sequence.active) },
  ]);
  gauge(`${prefix}_dry_run`, '1 while behavior.dry_run is set: a shutdown is a dry run.', () => [
    { labels: {}, value: Number(isDryRun()) },
  ]);
  gauge(
    `${prefix}_redundancy_healthy_members`,
    'Members of the redundancy group that count as healthy.',
    () => groups().map(([labels, healthy]) => ({ labels, value: healthy })),
  );
  gauge(`${prefix}_redundancy_quorum_lost`, '1 while the redundancy group has lost its quorum.', () =>
    groups().map(([labels, , lost]) => ({ labels, value: Number(lost) })),
  );
  gauge(`${prefix}_worker_up`, '1 while the worker is ready.', () =>
    workers(model).map(({ name, state }) => ({ labels: { worker: name }, value: Number(state === 'ready') })),
  );
  derive(registry, {
    name: `${prefix}_worker_restarts_total`,
    help: 'Restarts of the worker since the daemon started.',
    type: 'counter',
    samples: () =>
      workers(model).map(({ name, restarts }) => ({ labels: { worker: name }, value: restarts })),
  });
  derive(registry, {
    name: `${prefix}_storage_samples_dropped_total`,
    help: 'Samples dropped because the queue was full while storage was unavailable, since the daemon started.',
    type: 'counter',
    samples: () => [{ labels: {}, value: model.daemon?.storage.samplesDropped ?? null }],
  });
  derive(registry, {
    name: `${prefix}_storage_flush_seconds`,
    help: 'Time the commits of samples took.',
    type: 'histogram',
    samples: () =>
      model.daemon === null
        ? []
        : histogram(
            `${prefix}_storage_flush_seconds`,
            {},
            flushSecondsBounds,
            model.daemon.storage.flushSeconds,
          ),
  });
  gauge(
    `${prefix}_notifications`,
    'Deliveries of notifications over all services: pending now, sent and cancelled since the daemon started.',
    () => notifications(model),
  );
  gauge(
    `${prefix}_notification_service_up`,
    '0 while messages cannot be delivered through the service.',
    () =>
      services(model).map(({ name, fault }) => ({ labels: { service: name }, value: Number(fault === '') })),
  );
  gauge(`${prefix}_notification_service_pending`, 'Messages that wait for the service.', () =>
    services(model).map(({ name, pending }) => ({ labels: { service: name }, value: pending })),
  );
  gauge(
    `${prefix}_mqtt_connected`,
    '1 while the MQTT broker is connected; no sample while MQTT is off.',
    () => {
      const connected = model.daemon?.mqttConnected ?? null;
      return [{ labels: {}, value: connected === null ? null : Number(connected) }];
    },
  );
}

function workers(model: Model): readonly { name: string; state: string; restarts: number }[] {
  return model.daemon?.ready.workers ?? [];
}

function notifications(model: Model): readonly Sample[] {
  const { services: _, ...states } = model.daemon?.notifications ?? { services: [] };
  return Object.entries(states).map(([state, value]) => ({ labels: { state }, value }));
}

function services(model: Model): NotificationTelemetry['services'] {
  return model.daemon?.notifications.services ?? [];
}
