// From a valid file to the configuration of the program: its names and units, overrides merged, secrets in place. Reads no file.
import { createHash, scryptSync } from 'node:crypto';
import type { Settings } from '../../../shared/domain/base/keys.js';
import { ms, settingsOf, withDefaults } from '../../../shared/domain/base/keys.js';
import { timeSpan } from '../../../shared/domain/base/time-span.js';
import type { OutboundProxies } from '../../../shared/domain/services/outbound-proxies.js';
import { serviceKind } from '../../../shared/domain/services/service-address.js';
import type { Configuration, ReportsConfiguration } from '../configuration/configuration.js';
import type {
  HookConfiguration,
  NotificationService,
  NotificationsConfiguration,
} from '../configuration/outbound.js';
import { groupsOfMembers, sourceOf } from '../check/findings.js';
import { linesOfKey } from '../read/ssh-keys.js';
import { days } from '../schema/energy.js';
import type { reportKeys } from '../schema/energy.js';
import type { ConfigFile } from '../schema/file.js';
import { sectionKeys } from '../schema/file.js';
import { hookKeys } from '../schema/hooks.js';
import { notificationServiceKeys } from '../schema/notification-service.js';
import type { notificationKeys } from '../schema/notifications.js';
import { decodePart } from '../schema/service-url.js';
import { groupPolicy } from './policies.js';
import { resourcesOf } from './resources.js';
import type { ReadFiles } from './settings.js';
import { flattenSettings, pathsForRestart } from './settings.js';
import { summaryOf } from './summary.js';
import { upsOf } from './ups.js';

/** Data from other files, and what the checks have found. */
export interface DecodeInputs extends ReadFiles {
  readonly warnings: readonly string[];
  readonly inContainer: boolean;
}

type Sections = Settings<typeof sectionKeys>;

const daySeconds = 86_400;

/** The configuration of a file without problems, its secrets read. Plain data: the reader sends it as JSON. */
export function configurationOf(file: ConfigFile, inputs: DecodeInputs): Configuration {
  const { secrets, keys, caPem, client, warnings, inContainer } = inputs;
  const all = settingsOf(sectionKeys, file);
  const { username: _, password: __, ...nut } = all.nut;
  const { enabled: hasSyslog, ...syslog } = all.logging.syslog;
  const groups = groupsOfMembers(file);
  const ups = (file.ups ?? []).map((entry) => upsOf(file, entry, groups.get(entry) ?? [], keys));
  return {
    ups,
    redundancyGroups: (file.redundancy_groups ?? []).map((group) => ({
      policy: groupPolicy(file, group),
      resources: resourcesOf(file, group, keys),
    })),
    dryRun: all.behavior.dryRun,
    inContainer,
    localShutdown: all.localShutdown,
    nut: { ...nut, caPem, client },
    api: all.api,
    metrics: all.prometheus,
    mqtt: mqttOf(all.mqtt),
    heartbeat: all.heartbeat,
    voltageHysteresisMs: ms(all.notifications.voltageHysteresisSeconds),
    statistics: all.statistics,
    energy: all.energy,
    reports: reportsOf(all.reports),
    remoteHealth: all.remoteHealth,
    recovery: all.recovery,
    notifications: notificationsOf(all.notifications, secrets.proxies, file),
    logging: { ...all.logging, syslog: hasSyslog ? syslog : null },
    supervisor: all.supervisor,
    hooks: hooksOf(file),
    secrets: [...secrets.redacted, ...keys.redacted, ...linesOfKey(client?.keyPem ?? '')],
    // Remove this with the implementation of the feature.
    notActive: all.recovery.enabled
      ? ['recovery: who was up is recorded, but this version starts no server again yet']
      : [],
    warnings,
    upsmon: null,
    missingPrograms: [],
    summary: summaryOf(
      file,
      ups.map(({ policy }) => policy),
    ),
    settings: flattenSettings(file, inputs),
    needRestart: pathsForRestart,
  };
}

/** The ports registered for MQTT (IANA), without and with TLS. */
const plainPort = 1883;
const tlsPort = 8883;

/** The address has passed `brokerFault`. */
function mqttOf({ broker, username, password, ...mqtt }: Sections['mqtt']): Configuration['mqtt'] {
  const url = new URL(broker);
  const tls = url.protocol === 'mqtts:';
  const inUrl = url.username !== '' || url.password !== '';
  return {
    ...mqtt,
    broker: {
      tls,
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port === '' ? (tls ? tlsPort : plainPort) : Number(url.port),
      username: inUrl ? decodePart(url.username) : username,
      password: inUrl ? decodePart(url.password) : (password ?? ''),
    },
  };
}

function reportsOf(section: Settings<typeof reportKeys>): ReportsConfiguration {
  const { enabled, daily, weekly, monthly, time } = section;
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return {
    periods: enabled
      ? [
          ...(daily ? ['day' as const] : []),
          ...(weekly ? ['week' as const] : []),
          ...(monthly ? ['month' as const] : []),
        ]
      : [],
    hour,
    minute,
    weekday: (days.indexOf(section.weeklyDay) + 1) % 7,
    dayOfMonth: section.monthlyDay,
  };
}

/** Each service gets a name for messages and an id for the database. */
function notificationsOf(
  section: Settings<typeof notificationKeys>,
  proxies: OutboundProxies,
  file: ConfigFile,
): NotificationsConfiguration {
  const { urls, services, proxyPrivate, maxAgeDays, retentionDays, ...delivery } = section;
  const { voltageHysteresisSeconds: _, ...rest } = delivery;
  const plain = urls.map((url, index) =>
    serviceOf(settingsOf(notificationServiceKeys, { url }), `urls[${String(index)}]`, file),
  );
  return {
    ...rest,
    services: [
      // The same address twice is one service.
      ...withoutSame(plain),
      ...services.map((service, index) => serviceOf(service, `services[${String(index)}]`, file)),
    ],
    proxies: { ...proxies, includePrivate: proxyPrivate },
    maxAgeSeconds: maxAgeDays * daySeconds,
    retentionSeconds: retentionDays * daySeconds,
  };
}

function serviceOf(
  service: Settings<typeof notificationServiceKeys>,
  place: string,
  file: ConfigFile,
): NotificationService {
  const { verbosity, events, ups, quiet, headers, ...rest } = service;
  return {
    ...rest,
    id: identityOf(service.url),
    name: `notifications.${place} (${serviceKind(service.url)})`,
    quiet: timeSpan(quiet) ?? null,
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    filter: { verbosity, events, sources: ups.map((name) => sourceOf(file, name)) },
  };
}

/**
 * Stored in the database with every delivery. Slow to compute (20 ms), so that nobody can guess a weak password of an address
 * from it. Short, because it distinguishes at most fifty addresses.
 */
function identityOf(url: string): string {
  const cost = { N: 16_384, r: 8, p: 1 };
  return scryptSync(url, 'ridethrough notification service', 8, cost).toString('hex');
}

/** Two hooks of the same content are one. */
function hooksOf(file: ConfigFile): readonly HookConfiguration[] {
  const hooks = (file.hooks ?? []).map((entry, index): HookConfiguration => {
    const { ups, ...hook } = settingsOf(hookKeys, entry);
    return {
      ...hook,
      id: createHash('sha256')
        .update(JSON.stringify(withDefaults(hookKeys, entry)))
        .digest('hex')
        .slice(0, 32),
      label: `hooks[${String(index)}]`,
      sources: ups.map((name) => sourceOf(file, name)),
    };
  });
  return withoutSame(hooks);
}

const withoutSame = <A extends { readonly id: string }>(all: readonly A[]): readonly A[] =>
  all.filter(({ id }, index) => all.findIndex((other) => other.id === id) === index);
