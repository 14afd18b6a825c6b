// [notifications] as the program uses it: each service with a name for people and an identity for the database.
import { scryptSync } from 'node:crypto';
import { serviceKind } from '../../../shared/domain/service-address.js';
import type { NotificationService, NotificationsConfiguration } from '../configuration.js';
import { ms } from './policies.js';
import type { notificationKeys } from '../schema/outbound.js';
import type { WithDefaults } from '../schema/key.js';
import type { Secrets } from '../read/secrets.js';

const daySeconds = 86_400;

/** The settings of a section in which every default is filled in. */
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

/** The same address twice is one service: nobody wants every message twice. */
function servicesOf(given: Secrets['services']): readonly NotificationService[] {
  const services = given.map(({ index, url }) => ({
    id: identityOf(url),
    name: `notifications.urls[${String(index)}] (${serviceKind(url)})`,
    url,
  }));
  return services.filter(({ id }, index) => services.findIndex((other) => other.id === id) === index);
}

/**
 * Lies in the database beside every delivery. Slow to compute on purpose (20 ms), so that a weak password in an address
 * cannot be guessed from it; and short, since it only has to tell fifty addresses apart.
 */
function identityOf(url: string): string {
  const cost = { N: 16_384, r: 8, p: 1 };
  return scryptSync(url, 'ridethrough notification service', 8, cost).toString('hex');
}
