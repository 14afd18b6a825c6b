// [notifications] as the program uses it: each service with a name for messages and an id for the database.
import { scryptSync } from 'node:crypto';
import { serviceKind } from '../../../shared/domain/service-address.js';
import type { NotificationService, NotificationsConfiguration } from '../configuration/configuration.js';
import { ms } from './policies.js';
import type { notificationKeys } from '../schema/outbound.js';
import type { WithDefaults } from '../schema/key.js';
import type { Secrets } from '../read/secrets.js';

const daySeconds = 86_400;

/** Takes a section with defaults applied. */
export function notificationSettings(
  section: WithDefaults<typeof notificationKeys>,
  secrets: Pick<Secrets, 'services'>,
): NotificationsConfiguration {
  return {
    services: servicesOf(secrets.services),
    title: section.title === '' ? null : section.title,
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
function servicesOf(addresses: Secrets['services']): readonly NotificationService[] {
  const services = addresses.map(({ index, url }) => ({
    id: identityOf(url),
    name: `notifications.urls[${String(index)}] (${serviceKind(url)})`,
    url,
  }));
  return services.filter(({ id }, index) => services.findIndex((other) => other.id === id) === index);
}

/**
 * Stored in the database with every delivery. Slow to compute (20 ms), so that nobody can guess a weak password of an address
 * from it. Short, because it distinguishes at most fifty addresses.
 */
function identityOf(url: string): string {
  const cost = { N: 16_384, r: 8, p: 1 };
  return scryptSync(url, 'ridethrough notification service', 8, cost).toString('hex');
}
