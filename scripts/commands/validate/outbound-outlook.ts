// What `validate` says about notification services and hooks: who gets what, and which programs run.
import { formatSetting } from '../../../shared/domain/duration.js';
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
