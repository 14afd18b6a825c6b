// The sections that one worker alone uses. A new worker adds a line to each list; its keys, its settings and how they follow
// from the file are in a file of its own.
import type { ApiConfiguration, MetricsConfiguration } from './api.js';
import { apiKeys, apiSettings, metricsSettings, prometheusKeys } from './api.js';
import type { HeartbeatConfiguration } from './heartbeat.js';
import { heartbeatKeys, heartbeatSettings } from './heartbeat.js';
import type { WithDefaults } from './key.js';
import { table } from './key.js';
import type { MqttConfiguration } from './mqtt.js';
import { mqttKeys, mqttSettings } from './mqtt.js';

/** By their names in the file. */
export const workerSectionKeys = {
  api: table(apiKeys),
  prometheus: table(prometheusKeys),
  mqtt: table(mqttKeys),
  heartbeat: table(heartbeatKeys),
};

/** As the program uses them. */
export interface WorkerSections {
  readonly api: ApiConfiguration;
  readonly metrics: MetricsConfiguration;
  readonly mqtt: MqttConfiguration;
  readonly heartbeat: HeartbeatConfiguration;
}

export interface WorkerSecrets {
  readonly mqtt: { readonly broker: string | null; readonly password: string | null };
  readonly heartbeat: string | null;
}

export function workerSections(
  file: WithDefaults<typeof workerSectionKeys>,
  secrets: WorkerSecrets,
): WorkerSections {
  return {
    api: apiSettings(file.api),
    metrics: metricsSettings(file.prometheus),
    mqtt: mqttSettings(file.mqtt, secrets.mqtt),
    heartbeat: heartbeatSettings(file.heartbeat, secrets.heartbeat),
  };
}
