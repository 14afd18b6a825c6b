// What `validate` says about notification services and hooks: who gets what, and which programs run.
import { priorities } from '../../../shared/domain/services/address-options.js';
import { formatSetting } from '../../../shared/domain/base/duration.js';
import type { ServiceAddress } from '../../../shared/domain/services/service-address.js';
import { serviceAddress } from '../../../shared/domain/services/service-address.js';
import { proxyFor } from '../../../shared/runtime/proxy-choice.js';
import type { Configuration } from '../../../supervisor/config/configuration/configuration.js';
import type { NotificationService } from '../../../supervisor/config/configuration/outbound.js';

/** Each service by its place in the file, because an address is a secret, with its rules. */
export function notifiedServices({ notifications }: Configuration): string {
  const { services } = notifications;
  if (services.length === 0) return 'nothing: notifications.urls is empty';
  return services.map((service) => [service.name, ...rulesOf(service)].join(', ')).join('; ');
}

function rulesOf({ filter, afterMs, digestMs, quiet, repeatMs }: NotificationService): readonly string[] {
  const { verbosity, events, sources } = filter;
  const count = (list: readonly string[], what: string): string[] =>
    list.length === 0 ? [] : [`${what}: ${String(list.length)}`];
  const every = (ms: number, text: (time: string) => string): string[] =>
    ms === 0 ? [] : [text(formatSetting(ms / 1000))];
  return [
    ...(verbosity === 2 ? [] : [`verbosity ${String(verbosity)}`]),
    ...count(events, 'event types'),
    ...count(sources, 'UPSes and groups'),
    ...every(afterMs, (time) => `ON_BATTERY after ${time}`),
    ...every(digestMs, (time) => `brief outages together after ${time}`),
    ...(quiet === null ? [] : [`quiet ${clock(quiet.from)} to ${clock(quiet.to)}`]),
    ...every(repeatMs, (time) => `repeats every ${time}`),
  ];
}

/** `notifications.urls[0]: topic 12` for each service whose address has parameters; empty without one. */
export function serviceParameters({ notifications }: Configuration): string {
  return each(notifications.services, ({ url }) => {
    const parsed = serviceAddress(url);
    return parsed.ok ? parametersOf(parsed.address) : '';
  });
}

function parametersOf(address: ServiceAddress): string {
  if (address.kind === 'telegram') {
    const topic = address.topic === null ? [] : [`topic ${String(address.topic)}`];
    return [...topic, ...(address.silent ? ['no sound but for safety events'] : [])].join(', ');
  }
  if (address.kind !== 'ntfy' && address.kind !== 'gotify' && address.kind !== 'pushover') return '';
  const { normal, urgent } = address.priorities;
  const usual = priorities(address.kind, '');
  return normal === usual.normal && urgent === usual.urgent
    ? ''
    : `priority ${String(normal)}, of safety events ${String(urgent)}`;
}

/** `notifications.urls[0]: HTTPS_PROXY` for each service that is reached through a proxy of this environment. */
export function serviceProxies({ notifications, heartbeat }: Configuration): string {
  const through = (url: string): string => proxyFor(url, notifications.proxies)?.variable ?? '';
  const services = each(notifications.services, ({ url }) => {
    const parsed = serviceAddress(url);
    return parsed.ok && parsed.address.kind !== 'mail' ? through(parsed.address.url) : '';
  });
  const beat = heartbeat.url === null ? '' : through(heartbeat.url);
  return [services, ...(beat === '' ? [] : [`heartbeat.url: ${beat}`])]
    .filter((text) => text !== '')
    .join('; ');
}

function each(
  services: readonly NotificationService[],
  words: (service: NotificationService) => string,
): string {
  return services
    .flatMap((service) => {
      const said = words(service);
      return said === '' ? [] : [`${service.name.replace(/ \(\w+\)$/, '')}: ${said}`];
    })
    .join('; ');
}

const clock = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');

/** One line for each hook. */
export function hookLines({ hooks, supervisor, dryRun }: Configuration): readonly string[] {
  return hooks.map(({ command, on, afterMs, inDryRun }) => {
    const wait = afterMs === 0 ? '' : ` after ${formatSetting(afterMs / 1000)}`;
    const user = `as ${supervisor.workerUsers.hook}, if the daemon is root`;
    const dry = dryRun && !inDryRun ? '; not in this dry run' : '';
    return `${command[0] ?? ''} at ${on.join(', ')}${wait}, ${user}${dry}`;
  });
}
