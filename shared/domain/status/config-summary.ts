// The configuration as the API shows it (specification/api-writes.md#configuration-summary): names, hosts, thresholds and
// flags. It never holds a password, key, token, address with credentials, or command text. Built by the process that
// reads the file, so that no other process has secrets to leave out.
import * as t from 'io-ts';
import type { InCamelCase } from '../base/camel-case.js';
import { camelCase } from '../base/camel-case.js';
import type { KeyDeclaration, Keys, WithDefaults } from '../base/keys.js';
import { triggerKeys } from '../triggers/table.js';
import { finite, oneOf } from '../base/units.js';

/** The keys of [triggers], in the units of the file. */
export type ShownTriggers = InCamelCase<WithDefaults<typeof triggerKeys>>;
// The shape is computed from the table, which the compiler cannot follow through Object.entries.
export const ShownTriggers = t.readonly(
  t.type(propsOf(triggerKeys)),
  'ShownTriggers',
) as unknown as t.Type<ShownTriggers>;

function propsOf(keys: Keys): t.Props {
  return Object.fromEntries(Object.entries(keys).map(([name, key]) => [camelCase(name), codecOf(key)]));
}

function codecOf(entry: KeyDeclaration): t.Mixed {
  if (entry.kind === 'table') return t.type(propsOf(entry.keys));
  const shape = entry.kind === 'key' ? entry.codec.shape : undefined;
  if (shape?.kind === 'words') return oneOf(...shape.words);
  return shape === undefined ? t.boolean : finite;
}

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
    metrics: t.type({ enabled: t.boolean, prefix: t.string, nutExporterNames: t.boolean }),
    remoteHealth: t.type({
      enabled: t.boolean,
      startupCheck: t.boolean,
      interval: finite,
      failureThreshold: finite,
    }),
    heartbeat: t.type({ enabled: t.boolean, every: finite, when: oneOf('alive', 'ready') }),
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
