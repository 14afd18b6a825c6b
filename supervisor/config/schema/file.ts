// The configuration file: every section by its name.
import type { RawInput } from '../../../shared/domain/base/keys.js';
import { rows, table } from '../../../shared/domain/base/keys.js';
import { apiKeys, prometheusKeys } from './api.js';
import { batteryHealthKeys, selfTestKeys } from './battery.js';
import { energyKeys, reportKeys } from './energy.js';
import { hookKeys } from './hooks.js';
import { behaviorKeys, localShutdownKeys, supervisorKeys } from './host.js';
import { codecOf } from './codec.js';
import { heartbeatKeys } from './heartbeat.js';
import { loggingKeys } from './logging.js';
import { mqttKeys } from './mqtt.js';
import { controlKeys, nutKeys } from './nut.js';
import { notificationKeys } from './notifications.js';
import { recoveryKeys } from './recovery.js';
import { redundancyGroupKeys } from './redundancy-group.js';
import { remoteHealthKeys } from './remote-health.js';
import type { remoteServerKeys } from './remote-server.js';
import { shutdownKeys } from './remote-server.js';
import { statisticsKeys } from './statistics.js';
import { triggerKeys } from '../../../shared/domain/triggers/table.js';
import { upsKeys } from './ups.js';
import { upsOutputKeys } from './ups-output.js';

/** What is once in the file. */
export const sectionKeys = {
  triggers: table(triggerKeys),
  behavior: table(behaviorKeys),
  local_shutdown: table(localShutdownKeys),
  shutdown: table(shutdownKeys),
  nut: table(nutKeys),
  nut_control: table(controlKeys),
  api: table(apiKeys),
  prometheus: table(prometheusKeys),
  mqtt: table(mqttKeys),
  heartbeat: table(heartbeatKeys),
  remote_health: table(remoteHealthKeys),
  notifications: table(notificationKeys),
  battery_health: table(batteryHealthKeys),
  self_test: table(selfTestKeys),
  energy: table(energyKeys),
  reports: table(reportKeys),
  recovery: table(recoveryKeys),
  statistics: table(statisticsKeys),
  logging: table(loggingKeys),
  ups_output: table(upsOutputKeys),
  hooks: rows(hookKeys, 50),
  supervisor: table(supervisorKeys),
};

export const fileKeys = {
  ups: rows(upsKeys, 1000),
  redundancy_groups: rows(redundancyGroupKeys, 100),
  ...sectionKeys,
};

/** The decoded file: no unknown keys, values in range, defaults not applied. */
export type ConfigFile = RawInput<typeof fileKeys>;

export type UpsEntry = RawInput<typeof upsKeys>;
export type GroupEntry = RawInput<typeof redundancyGroupKeys>;
export type ServerEntry = RawInput<typeof remoteServerKeys>;

export const configFile = codecOf(fileKeys);
