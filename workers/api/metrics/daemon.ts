// The metrics of the daemon: version, workers, groups, a running shutdown, MQTT.
import { flushSecondsBounds } from '../../../shared/protocol/storage.js';
import type { Model } from '../model/model.js';
import type { Family, MetricSample } from './family.js';
import { histogram, labelText } from './family.js';

const flushes = histogram(flushSecondsBounds);

export function daemonFamilies(
  prefix: string,
  version: string,
  model: Model,
  isDryRun: () => boolean,
): readonly Family[] {
  const family = (
    type: 'gauge' | 'counter' | 'histogram',
    suffix: string,
    help: string,
    samples: () => readonly MetricSample[],
  ): Family => ({ name: `${prefix}_${suffix}`, help, type, samples });
  const one = (suffix: string, help: string, value: () => number | null): Family =>
    family('gauge', suffix, help, () => [['', value()]]);
  const groups = () => model.daemon?.redundancyGroups ?? [];
  const workers = () => model.daemon?.ready.workers ?? [];
  const services = () => model.daemon?.notifications.services ?? [];
  return [
    one('up', 'The API serves metrics; always 1.', () => 1),
    family('gauge', 'build_info', 'Version of the daemon; always 1.', () => [[labelText({ version }), 1]]),
    one('shutdown_in_progress', '1 while a shutdown sequence runs, a dry run included.', () =>
      model.daemon === null ? null : Number(model.daemon.sequence.active),
    ),
    one('dry_run', '1 while behavior.dry_run is set: a shutdown is a dry run.', () => Number(isDryRun())),
    family(
      'gauge',
      'redundancy_healthy_members',
      'Members of the redundancy group that count as healthy.',
      () => groups().map(({ name, healthyCount }) => [labelText({ redundancy_group: name }), healthyCount]),
    ),
    family('gauge', 'redundancy_quorum_lost', '1 while the redundancy group has lost its quorum.', () =>
      groups().map(({ name, quorumLost }) => [labelText({ redundancy_group: name }), Number(quorumLost)]),
    ),
    family('gauge', 'worker_up', '1 while the worker is ready.', () =>
      workers().map(({ name, state }) => [labelText({ worker: name }), Number(state === 'ready')]),
    ),
    family('counter', 'worker_restarts_total', 'Restarts of the worker since the daemon started.', () =>
      workers().map(({ name, restarts }) => [labelText({ worker: name }), restarts]),
    ),
    family(
      'counter',
      'storage_samples_dropped_total',
      'Samples dropped because the queue was full while storage was unavailable, since the daemon started.',
      () => [['', model.daemon?.storage.samplesDropped ?? null]],
    ),
    family('histogram', 'storage_flush_seconds', 'Time the commits of samples took.', () =>
      model.daemon === null ? [] : flushes(model.daemon.storage.flushSeconds),
    ),
    family(
      'gauge',
      'notifications',
      'Deliveries of notifications over all services: pending now, sent and cancelled since the daemon started.',
      () => {
        const { services: _, ...states } = model.daemon?.notifications ?? { services: [] };
        return Object.entries(states).map(([state, value]) => [labelText({ state }), value]);
      },
    ),
    family(
      'gauge',
      'notification_service_up',
      '0 while messages cannot be delivered through the service.',
      () => services().map(({ name, fault }) => [labelText({ service: name }), Number(fault === '')]),
    ),
    family('gauge', 'notification_service_pending', 'Messages that wait for the service.', () =>
      services().map(({ name, pending }) => [labelText({ service: name }), pending]),
    ),
    one('mqtt_connected', '1 while the MQTT broker is connected; no sample while MQTT is off.', () => {
      const connected = model.daemon?.mqttConnected ?? null;
      return connected === null ? null : Number(connected);
    }),
  ];
}
