// The read model as the publisher asks for it, drawn from policy's state, the counters, the sequences and the workers.
import type {
  NotificationTelemetry,
  PublishedUps,
  ReadyModel,
  StorageTelemetry,
} from '../../shared/protocol/api.js';
import type { RedundancyRow, RemoteHealthRow, SequenceModel } from '../../shared/domain/status-model.js';
import type { Configuration } from '../config/configuration/configuration.js';
import { needsOfUps } from '../config/programs/programs.js';
import type { PolicyState } from '../policy/state.js';
import { redundancyRow, upsRow } from '../policy/view.js';
import { plansOf } from '../config/derive/plans.js';
import type { ModelSource } from './publisher.js';
import { hostDelegation } from '../config/derive/host-delegate.js';
import { readiness } from './readiness.js';
import type { RemoteHealth } from '../remote-health/remote-health.js';
import type { RemoteServers } from '../workers/remote-servers.js';
import { remoteServersOf } from '../workers/worker-settings.js';
import type { WorkerView } from '../supervision/supervision.js';
import type { PollStatistics } from './poll-statistics.js';

export interface ReadModelDependencies {
  state(): PolicyState;
  configuration(): Configuration;
  sequence(): SequenceModel;
  storage(): StorageTelemetry;
  notifications(): NotificationTelemetry;
  mqttConnected(): boolean | null;
  workers(): readonly WorkerView[];
  readonly telemetry: PollStatistics;
  remoteHealth(): Pick<RemoteHealth, 'rows' | 'shown' | 'obstacles' | 'resting'>;
  missingPrograms(): readonly string[];
  remoteServers(): Pick<RemoteServers, 'troubleOf'>;
}

export function readModel(sources: ReadModelDependencies): ModelSource {
  const order = () => sources.configuration().ups.map(({ policy }) => policy.groupId);
  return {
    order,
    ups: (groupId): PublishedUps => ({
      row: { ...upsRow(sources.state(), groupId), remoteHealth: sources.remoteHealth().shown(groupId) },
      telemetry: sources.telemetry.of(groupId),
    }),
    redundancyGroups: (): readonly RedundancyRow[] =>
      sources.configuration().redundancyGroups.map(({ policy }) => ({
        ...redundancyRow(sources.state(), policy.groupId),
        remoteHealth: sources.remoteHealth().shown(policy.groupId),
      })),
    remoteHealth: (): readonly RemoteHealthRow[] => sources.remoteHealth().rows,
    sequence: () => sources.sequence(),
    storage: () => sources.storage(),
    notifications: () => sources.notifications(),
    mqttConnected: () => sources.mqttConnected(),
    ready: (): ReadyModel =>
      readiness({
        rows: order().map((groupId) => upsRow(sources.state(), groupId)),
        plans: plansOf(sources.configuration()),
        workers: sources.workers(),
        missingPrograms: sources.missingPrograms(),
        toolNeeds: new Map(sources.configuration().ups.map((ups) => [ups.policy.groupId, needsOfUps(ups)])),
        servers: new Map(
          remoteServersOf(sources.configuration()).map((server) => [
            server.name,
            sources.remoteServers().troubleOf(server),
          ]),
        ),
        remoteHealth: sources.remoteHealth().rows,
        obstacles: sources.remoteHealth().obstacles,
        resting: sources.remoteHealth().resting,
        startupCheck: sources.configuration().remoteHealth.startupCheck,
        delegation: hostDelegation(sources.configuration()),
      }),
  };
}
