// Builds the extended configuration summary (specification/api-writes.md#configuration-summary). The API removes what an
// anonymous caller may not see. No secret enters it: it takes named values one by one and copies as a table only [triggers],
// which has no secret.
import { camelCase } from '../../../shared/domain/base/camel-case.js';
import type {
  ConfigSummary,
  ShownRedundancyGroup,
  ShownServer,
  ShownTriggers,
  ShownUps,
} from '../../../shared/domain/status/config-summary.js';
import { groupIdOf } from '../../../shared/domain/ups/ups-name.js';
import type { ConfigFile, GroupEntry, ServerEntry, UpsEntry } from '../schema/file.js';
import { fileKeys } from '../schema/file.js';
import { withDefaults } from '../schema/key.js';
import { ownControlKeys } from '../schema/nut.js';
import { redundancyGroupKeys } from '../schema/redundancy-group.js';
import { remoteServerKeys } from '../schema/remote-server.js';
import { triggerKeys } from '../schema/triggers.js';
import { identityOf } from './policies.js';

export function buildSummary(file: ConfigFile): ConfigSummary {
  const all = withDefaults(fileKeys, file);
  const { retention } = all.statistics;
  const serviceCount = all.notifications.urls.length + all.notifications.services.length;
  return {
    ups: (file.ups ?? []).map((entry) => shownUps(file, entry)),
    redundancyGroups: (file.redundancy_groups ?? []).map((entry) => shownGroup(file, entry)),
    metrics: {
      enabled: all.prometheus.enabled,
      prefix: all.prometheus.prefix,
      nutExporterNames: all.prometheus.nut_exporter_names,
    },
    remoteHealth: {
      enabled: all.remote_health.enabled,
      startupCheck: all.remote_health.startup_check,
      interval: all.remote_health.interval,
      failureThreshold: all.remote_health.failure_threshold,
    },
    heartbeat: {
      enabled: file.heartbeat?.url !== undefined,
      every: all.heartbeat.every,
      when: all.heartbeat.when,
    },
    mqtt: {
      enabled: all.mqtt.enabled,
      brokerConfigured: file.mqtt?.broker !== undefined,
      topicPrefix: all.mqtt.topic_prefix,
      publishInterval: all.mqtt.publish_interval,
    },
    notifications: {
      enabled: serviceCount > 0,
      serviceCount,
    },
    nutControl: {
      enabled: all.nut_control.enabled,
      allowedCommands: all.nut_control.allowed_commands,
      allowedVariables: all.nut_control.allowed_variables,
    },
    statistics: {
      enabled: all.statistics.enabled,
      retention: {
        rawHours: retention.raw_hours,
        agg5minDays: retention.agg_5min_days,
        aggHourlyDays: retention.agg_hourly_days,
      },
    },
    localShutdown: { enabled: all.local_shutdown.enabled },
    dryRun: all.behavior.dry_run,
  };
}

function shownUps(file: ConfigFile, entry: UpsEntry): ShownUps {
  const control = withDefaults(ownControlKeys, file.nut_control, entry.nut_control);
  return {
    ...identityOf(file, entry),
    triggers: shownTriggers(file.triggers, entry.triggers),
    remoteServers: (entry.remote_servers ?? []).map(shownServer),
    nutControl: {
      allowedCommands: control.allowed_commands,
      allowedVariables: control.allowed_variables,
    },
  };
}

function shownGroup(file: ConfigFile, entry: GroupEntry): ShownRedundancyGroup {
  const group = withDefaults(redundancyGroupKeys, entry);
  return {
    groupId: `redundancy-${groupIdOf(group.name)}`,
    name: group.name,
    upsSources: group.ups_sources,
    minHealthy: group.min_healthy,
    degradedCountsAs: group.degraded_counts_as,
    unknownCountsAs: group.unknown_counts_as,
    isLocal: group.is_local,
    triggers: shownTriggers(file.triggers, entry.triggers),
    remoteServers: (entry.remote_servers ?? []).map(shownServer),
  };
}

function shownServer(entry: ServerEntry): ShownServer {
  const server = withDefaults(remoteServerKeys, entry);
  const commands = server.pre_shutdown_commands.length;
  return {
    name: server.name,
    host: server.host,
    enabled: server.enabled,
    shutdownOrder: server.shutdown_order,
    hasPreShutdownCommands: commands > 0,
    hasSshKey: server.ssh_key_path !== null,
    user: server.user,
    preShutdownCommandCount: commands,
    shutdownSafetyMargin: server.shutdown_safety_margin,
  };
}

function shownTriggers(...given: readonly (object | undefined)[]): ShownTriggers {
  return inCamelCase(withDefaults(triggerKeys, ...given)) as ShownTriggers;
}

function inCamelCase(values: object): object {
  return Object.fromEntries(
    Object.entries(values).map(([key, value]: [string, unknown]) => [
      camelCase(key),
      typeof value === 'object' && value !== null ? inCamelCase(value) : value,
    ]),
  );
}
