// [notifications] as the program uses it: each service with a name for messages and an id for the database.
import { scryptSync } from 'node:crypto';
import { serviceKind } from '../../../shared/domain/services/service-address.js';
import type { NotificationService, NotificationsConfiguration } from '../configuration/outbound.js';
import type { ConfigFile } from '../schema/file.js';
import { notificationServiceKeys } from '../schema/notification-service.js';
import type { notificationKeys } from '../schema/notifications.js';
import type { WithDefaults } from '../schema/key.js';
import { withDefaults } from '../schema/key.js';
import { ms } from '../schema/values.js';
import { sourceOf } from '../check/findings.js';
import { timeSpan } from '../../../shared/domain/base/time-span.js';
import type { RuledService } from '../check/services.js';
import type { Secrets } from '../read/secrets.js';

const daySeconds = 86_400;

/** Takes a section with defaults applied. */
export function notificationSettings(
  section: WithDefaults<typeof notificationKeys>,
  secrets: Pick<Secrets, 'services' | 'ruledServices' | 'proxies'>,
  file: ConfigFile,
): NotificationsConfiguration {
  return {
    services: [
      ...plainServices(secrets.services),
      ...secrets.ruledServices.map((service) => ruledService(service, file)),
    ],
    title: section.title === '' ? null : section.title,
    mailHostName: section.mail_host_name === '' ? null : section.mail_host_name,
    proxies: { ...secrets.proxies, includePrivate: section.proxy_private },
    timeoutMs: ms(section.timeout),
    retryIntervalMs: ms(section.retry_interval),
    retryBackoffMaxMs: ms(section.retry_backoff_max),
    maxAttempts: section.max_attempts,
    maxAgeSeconds: section.max_age_days * daySeconds,
    maxPending: section.max_pending,
    retentionSeconds: section.retention_days * daySeconds,
    suppress: section.suppress,
  };
}

/** The same address twice is one service. */
function plainServices(addresses: Secrets['services']): readonly NotificationService[] {
  const services = addresses.map(({ index, url }): NotificationService => ({
    id: identityOf(url),
    name: `notifications.urls[${String(index)}] (${serviceKind(url)})`,
    url,
    ...withoutRules,
  }));
  return services.filter(({ id }, index) => services.findIndex((other) => other.id === id) === index);
}

const withoutRules: Omit<NotificationService, 'id' | 'name' | 'url'> = {
  afterMs: 0,
  digestMs: 0,
  quiet: null,
  title: '',
  body: '',
  headers: [],
  filter: { verbosity: 2, events: [], sources: [] },
  repeatMs: 0,
};

function ruledService({ index, url, headers }: RuledService, file: ConfigFile): NotificationService {
  const rules = withDefaults(notificationServiceKeys, file.notifications?.services?.[index]);
  return {
    id: identityOf(url),
    name: `notifications.services[${String(index)}] (${serviceKind(url)})`,
    url,
    afterMs: ms(rules.after),
    digestMs: ms(rules.digest),
    quiet: timeSpan(rules.quiet) ?? null,
    title: rules.title,
    body: rules.body,
    headers,
    filter: {
      verbosity: rules.verbosity,
      events: rules.events,
      sources: rules.ups.map((name) => sourceOf(file, name)),
    },
    repeatMs: ms(rules.repeat),
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
