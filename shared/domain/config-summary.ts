// The configuration as the API shows it (specification/api-writes.md#configuration-summary): names, hosts, thresholds and
// flags. It never holds a password, key, token, address with credentials, or command text. Built by the process that
// reads the file, so that no other process has secrets to leave out.
import * as t from 'io-ts';
import { finite, oneOf } from './units.js';

/** Seconds and percent, as in the file. */
export const ShownTriggers = t.readonly(
  t.type({
    lowBatteryThreshold: finite,
    criticalRuntimeThreshold: finite,
    onBatteryStabilizationDelay: finite,
    confirmations: finite,
    triggerOnLowBatteryFlag: t.boolean,
    failsafeDelay: finite,
    voltageSensitivity: oneOf('tight', 'normal', 'loose'),
    depletion: t.type({ window: finite, criticalRate: finite, gracePeriod: finite }),
    extendedTime: t.type({ enabled: t.boolean, threshold: finite }),
  }),
  'ShownTriggers',
);
export type ShownTriggers = t.TypeOf<typeof ShownTriggers>;

/** The optional keys are those of the extended summary. */
export const ShownServer = t.readonly(
  t.intersection([
    t.type({
      name: t.string,
      host: t.string,
      enabled: t.boolean,
      shutdownOrder: finite,
      hasPreShutdownCommands: t.boolean,
      hasSshKey: t.boolean,
    }),
    t.partial({ user: t.string, preShutdownCommandCount: finite, shutdownSafetyMargin: finite }),
  ]),
  'ShownServer',
);
export type ShownServer = t.TypeOf<typeof ShownServer>;

const allowlists = {
  allowedCommands: t.readonlyArray(t.string),
  allowedVariables: t.readonlyArray(t.string),
};

export const ShownUps = t.readonly(
  t.intersection([
    t.type({
      groupId: t.string,
      name: t.string,
      label: t.string,
      isLocal: t.boolean,
      transport: oneOf('network', 'tools'),
      triggers: ShownTriggers,
      remoteServers: t.readonlyArray(ShownServer),
    }),
    t.partial({ nutControl: t.type(allowlists) }),
  ]),
  'ShownUps',
);
export type ShownUps = t.TypeOf<typeof ShownUps>;

export const ShownRedundancyGroup = t.readonly(
  t.type({
    groupId: t.string,
    name: t.string,
    upsSources: t.readonlyArray(t.string),
    minHealthy: finite,
    degradedCountsAs: t.string,
    unknownCountsAs: t.string,
    isLocal: t.boolean,
    triggers: ShownTriggers,
    remoteServers: t.readonlyArray(ShownServer),
  }),
  'ShownRedundancyGroup',
);
export type ShownRedundancyGroup = t.TypeOf<typeof ShownRedundancyGroup>;

/** The extended summary without `api`, which the command line and the users decide too. */
export const ConfigSummary = t.readonly(
  t.type({
    ups: t.readonlyArray(ShownUps),
    redundancyGroups: t.readonlyArray(ShownRedundancyGroup),
    metrics: t.type({ enabled: t.boolean }),
    remoteHealth: t.type({
      enabled: t.boolean,
      startupCheck: t.boolean,
      interval: finite,
      failureThreshold: finite,
    }),
    mqtt: t.type({
      enabled: t.boolean,
      brokerConfigured: t.boolean,
      topicPrefix: t.string,
      publishInterval: finite,
    }),
    notifications: t.type({ enabled: t.boolean, serviceCount: finite }),
    nutControl: t.intersection([t.type({ enabled: t.boolean }), t.partial(allowlists)]),
    statistics: t.type({
      enabled: t.boolean,
      retention: t.type({ rawHours: finite, agg5minDays: finite, aggHourlyDays: finite }),
    }),
    localShutdown: t.type({ enabled: t.boolean }),
    dryRun: t.boolean,
  }),
  'ConfigSummary',
);
export type ConfigSummary = t.TypeOf<typeof ConfigSummary>;
