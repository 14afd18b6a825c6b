// The sections of Eneru's file that reach other machines, and the probe: addresses are secrets, and some are not usable here.
import { accepts } from '../../../../supervisor/config/schema/codec.js';
import type { DraftTable } from '../../../../shared/domain/setup/config-draft.js';
import { probeFault, runsCommand } from '../../../../shared/domain/actions/probe-command.js';
import { serviceAddress } from '../../../../shared/domain/services/service-address.js';
import { fileKeys } from '../../../../supervisor/config/schema/file.js';
import { brokerFault, credentialsIn } from '../../../../supervisor/config/schema/service-url.js';
import type { Carrying, Mapping } from './eneru-tree.js';
import { carrySecret, carrySection, carryValue, section } from './eneru-tree.js';

export function addMqtt(file: DraftTable, mqtt: Mapping, carrying: Carrying): void {
  const { broker, username, password, ...rest } = mqtt;
  const table = file.table('mqtt');
  const address = typeof broker === 'string' ? broker : '';
  const isUsable = address !== '' && brokerFault(address) === undefined;
  if (isUsable && credentialsIn(address).length > 0)
    carrySecret(table, 'broker', address, { what: 'mqtt.broker', ...carrying });
  else if (isUsable) table.set('broker', address);
  else if (Object.keys(mqtt).length > 0)
    table.leavesOut('mqtt.broker', 'expected mqtt:// or mqtts:// with a host');
  const logins = {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
  };
  const isTwice = isUsable && credentialsIn(address).length > 0 && Object.keys(logins).length > 0;
  if (isTwice) table.leavesOut('mqtt.username', 'the address of the broker has a login already');
  carrySection(
    table,
    fileKeys.mqtt.keys,
    { ...rest, ...(isTwice ? {} : logins) },
    { path: 'mqtt', carrying },
  );
  if (!isUsable && table.get('enabled') === true) table.set('enabled', false, 'no broker was carried');
}

const maxUrls = 50;

export function addNotifications(file: DraftTable, notifications: Mapping, carrying: Carrying): void {
  const { urls = [], suppress, ...rest } = notifications;
  const table = file.table('notifications');
  carrySection(table, fileKeys.notifications.keys, rest, { path: 'notifications', carrying });
  if (Array.isArray(suppress)) {
    const { codec } = fileKeys.notifications.keys.suppress;
    const upper = suppress.map((name) => (typeof name === 'string' ? name.toUpperCase() : ''));
    const known = upper.filter((name) => accepts(codec, [name]));
    if (known.length > 0 && known.length <= 200) table.set('suppress', known);
    const others = upper.filter((name) => !known.includes(name));
    if (others.length > 0)
      table.leavesOut(
        `notifications.suppress ${others.join(', ').slice(0, 100)}`,
        'no event that may be suppressed',
      );
  }
  const given = Array.isArray(urls) ? (urls as readonly unknown[]) : [];
  const files: { readonly file: string }[] = [];
  for (const [index, url] of given.entries()) {
    const parsed = typeof url === 'string' && files.length < maxUrls ? serviceAddress(url) : null;
    const name =
      parsed?.ok === true
        ? carrying.secrets.add(
            'notification',
            String(url),
            `the address of notification ${String(index + 1)}`,
          )
        : null;
    if (parsed?.ok === true && parsed.unread.length > 0)
      table.leavesOut(
        `notifications.urls, number ${String(index + 1)}: ${parsed.unread.join(' and ')}`,
        `${parsed.address.kind} has nothing of this here; correct or remove it in the file of the address`,
      );
    if (name !== null) files.push({ file: `${carrying.folder}/${name}` });
    else
      table.leavesOut(
        `notifications.urls, number ${String(index + 1)}`,
        parsed?.ok === false ? `expected ${parsed.expected}` : 'no address of a service',
      );
  }
  if (notifications['enabled'] === false)
    table.leavesOut('notifications.enabled: false', 'write the addresses back when you want messages');
  else if (files.length > 0) table.set('urls', files);
}

export function addLogging(file: DraftTable, logging: Mapping, carrying: Carrying): void {
  const table = file.table('logging');
  const syslog = section(logging, 'syslog');
  carrySection(table, fileKeys.logging.keys, logging, { path: 'logging', except: ['syslog'], carrying });
  const { address, port = 514, ...rest } = syslog;
  carrySection(table.table('syslog'), fileKeys.logging.keys.syslog.keys, rest, {
    path: 'logging.syslog',
    carrying,
  });
  if (typeof address !== 'string') return;
  const full = address.startsWith('/') ? address : `${address}:${String(port)}`;
  carryValue(
    table.table('syslog'),
    'address',
    fileKeys.logging.keys.syslog.keys.address.codec,
    full,
    'logging.syslog.address',
  );
}

/** A probe must not be a command of the file. */
export function addProbe(
  file: DraftTable,
  health: Mapping,
  carrying: Carrying,
  commands: readonly string[],
): void {
  const { probe_command: probe, ...rest } = health;
  const table = file.table('remote_health');
  carrySection(table, fileKeys.remote_health.keys, rest, { path: 'remote_health', carrying });
  if (typeof probe !== 'string') return;
  const isHarmless = probeFault(probe) === null && !commands.some((command) => runsCommand(probe, command));
  if (isHarmless)
    carryValue(
      table,
      'probe_command',
      fileKeys.remote_health.keys.probe_command.codec,
      probe,
      'remote_health.probe_command',
    );
  else table.leavesOut('remote_health.probe_command', 'it is not harmless; "true" is probed');
}
