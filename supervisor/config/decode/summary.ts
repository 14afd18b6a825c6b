// The extended configuration summary (specification/api-writes.md#configuration-summary): the keys that are declared as shown, in
// the units of the file. The API removes what an anonymous caller may not see. No secret enters it.
import { inCamelCase } from '../../../shared/domain/base/camel-case.js';
import { shownOf, withDefaults } from '../../../shared/domain/base/keys.js';
import type { ConfigSummary, ShownServer } from '../../../shared/domain/status/config-summary.js';
import { groupIdOf } from '../../../shared/domain/ups/ups-name.js';
import { triggerKeys } from '../../../shared/domain/triggers/table.js';
import type { UpsSettings } from '../../policy/base/inputs.js';
import type { ConfigFile, GroupEntry, ServerEntry, UpsEntry } from '../schema/file.js';
import { prometheusKeys } from '../schema/api.js';
import { heartbeatKeys } from '../schema/heartbeat.js';
import { behaviorKeys, localShutdownKeys } from '../schema/host.js';
import { mqttKeys } from '../schema/mqtt.js';
import { controlKeys, ownControlKeys } from '../schema/nut.js';
import { redundancyGroupKeys } from '../schema/redundancy-group.js';
import { remoteHealthKeys } from '../schema/remote-health.js';
import { remoteServerKeys } from '../schema/remote-server.js';
import { statisticsKeys } from '../schema/statistics.js';

/** `ups`: as policy knows them, in the order of the file. */
export function summaryOf(file: ConfigFile, ups: readonly UpsSettings[]): ConfigSummary {
  const { urls, services } = file.notifications ?? {};
  const { enabled, ...mqtt } = shownOf(mqttKeys, file.mqtt);
  const serviceCount = (urls ?? []).length + (services ?? []).length;
  return {
    ups: ups.map(({ groupId, name, label, isLocal, transport }, index) => ({
      ...{ groupId, name, label, isLocal, transport },
      ...ownedBy(file, file.ups?.[index]),
      nutControl: shownOf(ownControlKeys, file.nut_control, file.ups?.[index]?.nut_control),
    })),
    redundancyGroups: (file.redundancy_groups ?? []).map((entry) => ({
      groupId: `redundancy-${groupIdOf(entry.name)}`,
      ...shownOf(redundancyGroupKeys, entry),
      ...ownedBy(file, entry),
    })),
    metrics: shownOf(prometheusKeys, file.prometheus),
    remoteHealth: shownOf(remoteHealthKeys, file.remote_health),
    heartbeat: { enabled: file.heartbeat?.url !== undefined, ...shownOf(heartbeatKeys, file.heartbeat) },
    mqtt: { enabled, brokerConfigured: file.mqtt?.broker !== undefined, ...mqtt },
    notifications: { enabled: serviceCount > 0, serviceCount },
    nutControl: shownOf(controlKeys, file.nut_control),
    statistics: shownOf(statisticsKeys, file.statistics),
    localShutdown: shownOf(localShutdownKeys, file.local_shutdown),
    ...shownOf(behaviorKeys, file.behavior),
  };
}

function ownedBy(file: ConfigFile, entry: UpsEntry | GroupEntry | undefined) {
  return {
    triggers: inCamelCase(withDefaults(triggerKeys, file.triggers, entry?.triggers)),
    remoteServers: (entry?.remote_servers ?? []).map(shownServer),
  };
}

function shownServer(entry: ServerEntry): ShownServer {
  const { name, host, enabled, ...server } = withDefaults(remoteServerKeys, entry);
  const commands = server.pre_shutdown_commands.length;
  return {
    ...{ name, host, enabled },
    shutdownOrder: server.shutdown_order,
    hasPreShutdownCommands: commands > 0,
    hasSshKey: server.ssh_key_path !== null,
    user: server.user,
    preShutdownCommandCount: commands,
    shutdownSafetyMargin: server.shutdown_safety_margin,
  };
}
