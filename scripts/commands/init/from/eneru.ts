// Eneru's configuration file. Its keys have mostly the same names and meaning; where a default differs, Eneru's is written out.
// Loads the YAML parser, and only this command does.
import { LineCounter, parseDocument } from 'yaml';
import type { Table } from '../../../../shared/domain/config-draft.js';
import { runsCommand, probeFault } from '../../../../shared/domain/probe-command.js';
import { serviceAddress } from '../../../../shared/domain/service-address.js';
import { headed } from '../../../../shared/domain/setup.js';
import { fileKeys } from '../../../../supervisor/config/schema/file.js';
import { brokerFault, credentialsIn } from '../../../../supervisor/config/schema/service-url.js';
import { addOwners } from './eneru-owners.js';
import type { Carrying, Mapping } from './eneru-tree.js';
import { carrySecret, carrySection, carryValue, isMapping } from './eneru-tree.js';
import type { Imported } from './source.js';
import { readSource, Secrets, shellCommand } from './source.js';

export function importEneru(path: string): Imported {
  const source = readSource(path);
  if (!source.ok) return source;
  const parsed = parseYaml(source.text);
  if (!parsed.ok) return { ok: false, message: `${path} ${parsed.fault}` };
  const { tree } = parsed;
  if (!isMapping(tree['ups']) && !Array.isArray(tree['ups']))
    return {
      ok: false,
      message: `${path} has no "ups" with a mapping or a list below it: is it the configuration of Eneru?`,
    };
  const secrets = new Secrets();
  const compose = (folder: string): Table => composed(tree, { secrets, folder });
  if (!compose('/').has('ups'))
    return { ok: false, message: `${path} has no UPS with a name that upsc takes` };
  return { ok: true, draft: { compose, secrets: secrets.all } };
}

type Parsed = { readonly ok: true; readonly tree: Mapping } | { readonly ok: false; readonly fault: string };

/** As PyYAML reads it: YAML 1.1. The fault never shows a line, which may hold a secret. */
function parseYaml(text: string): Parsed {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, {
      version: '1.1',
      lineCounter: lines,
      prettyErrors: false,
      logLevel: 'silent',
    });
    const [error] = document.errors;
    if (error !== undefined) {
      const { line, col } = lines.linePos(error.pos[0]);
      return { ok: false, fault: `is not YAML: line ${String(line)}, column ${String(col)} (${error.code})` };
    }
    const tree = document.toJS({ maxAliasCount: 100 }) as unknown;
    return isMapping(tree) ? { ok: true, tree } : { ok: false, fault: 'is not the mapping that Eneru reads' };
  } catch (error) {
    // Too many aliases, or too deep for the stack.
    const why = error instanceof RangeError ? 'it is nested too deeply' : 'its aliases expand too far';
    return { ok: false, fault: `cannot be read: ${why}` };
  }
}

const own = [
  'triggers',
  'behavior',
  'local_shutdown',
  'notifications',
  'mqtt',
  'logging',
  'remote_health',
  'energy',
  'self_test',
];
/** Below the UPS that owns them. */
const resources = ['remote_servers', 'virtual_machines', 'containers', 'docker', 'filesystems'];

function composed(tree: Mapping, carrying: Carrying): Table {
  const file = headed('ridethrough init --from-eneru');
  file.table('behavior').set('dry_run', true, 'false: a shutdown is real');
  const commands = addOwners(file, tree, carrying);
  addTriggers(file, section(tree, 'triggers'), carrying);
  const shutdown = section(tree, 'local_shutdown');
  addLocalShutdown(file, shutdown, carrying, commands);
  if (commands.length > 0)
    file.table('shutdown').set('wait_for', 'commanded', 'as in Eneru; "off" waits until each server is off');
  addDefaults(file, tree);
  addMqtt(file, section(tree, 'mqtt'), carrying);
  addNotifications(file, section(tree, 'notifications'), carrying);
  addLogging(file, section(tree, 'logging'), carrying);
  addProbe(file, section(tree, 'remote_health'), carrying, commands);
  for (const [name, keys] of [
    ['energy', fileKeys.energy.keys],
    ['self_test', fileKeys.self_test.keys],
  ] as const)
    carrySection(file.table(name), keys, section(tree, name), { path: name, carrying });
  // Keys that begin with x- are free in Eneru.
  const rest = Object.entries(tree).filter(([name]) => !own.includes(name) && !name.startsWith('x-'));
  carrySection(file, fileKeys, Object.fromEntries(rest), {
    path: '',
    except: ['ups', 'redundancy_groups', ...resources],
    carrying,
  });
  return file;
}

function section(tree: Mapping, name: string): Mapping {
  const value = tree[name];
  return isMapping(value) ? value : {};
}

function addTriggers(file: Table, triggers: Mapping, carrying: Carrying): void {
  const table = file.table('triggers');
  table.set(
    'trigger_on_low_battery_flag',
    false,
    'Eneru does not look at LB; true is the last word of the UPS',
  );
  carrySection(table, fileKeys.triggers.keys, triggers, { path: 'triggers', carrying });
}

function addLocalShutdown(file: Table, shutdown: Mapping, carrying: Carrying, commands: string[]): void {
  const table = file.table('local_shutdown');
  const { command, ...rest } = shutdown;
  if (typeof command === 'string' && command.trim() !== '')
    carryValue(
      table,
      'command',
      fileKeys.local_shutdown.keys.command.codec,
      shellCommand(command),
      'local_shutdown.command',
    );
  commands.push(typeof command === 'string' ? shellCommand(command).join(' ') : 'shutdown -h now');
  const isLocal = file.rowsOf('ups', 'redundancy_groups').some((row) => row.get('is_local') === true);
  if (isLocal && rest['trigger_on'] === 'none') {
    table
      .set('enabled', false, 'trigger_on: none in Eneru')
      .left('local_shutdown.trigger_on', 'a UPS or group with is_local shuts this machine down');
    carrySection(table, fileKeys.local_shutdown.keys, rest, {
      path: 'local_shutdown',
      except: ['trigger_on', 'enabled'],
      carrying,
    });
  } else carrySection(table, fileKeys.local_shutdown.keys, rest, { path: 'local_shutdown', carrying });
}

/** Of sections that are there, where the defaults of the two programs differ. */
function addDefaults(file: Table, tree: Mapping): void {
  if (isMapping(tree['self_test']))
    file.table('self_test').set('command', 'test.battery.start', 'the default of Eneru');
  if (isMapping(tree['energy'])) file.table('energy').set('currency', 'USD', 'the default of Eneru');
  if (isMapping(tree['reports'])) file.table('reports').set('weekly', false, 'the default of Eneru');
  if (isMapping(tree['mqtt'])) file.table('mqtt').set('topic_prefix', 'eneru', 'the default of Eneru');
}

function addMqtt(file: Table, mqtt: Mapping, carrying: Carrying): void {
  const { broker, username, password, ...rest } = mqtt;
  const table = file.table('mqtt');
  const address = typeof broker === 'string' ? broker : '';
  const isUsable = address !== '' && brokerFault(address) === undefined;
  if (isUsable && credentialsIn(address).length > 0)
    carrySecret(table, 'broker', address, { what: 'mqtt.broker', ...carrying });
  else if (isUsable) table.set('broker', address);
  else if (Object.keys(mqtt).length > 0)
    table.left('mqtt.broker', 'expected mqtt:// or mqtts:// with a host');
  const logins = {
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
  };
  const isTwice = isUsable && credentialsIn(address).length > 0 && Object.keys(logins).length > 0;
  if (isTwice) table.left('mqtt.username', 'the address of the broker has a login already');
  carrySection(
    table,
    fileKeys.mqtt.keys,
    { ...rest, ...(isTwice ? {} : logins) },
    { path: 'mqtt', carrying },
  );
  if (!isUsable && table.get('enabled') === true) table.set('enabled', false, 'no broker was carried');
}

const maxUrls = 50;

function addNotifications(file: Table, notifications: Mapping, carrying: Carrying): void {
  const { urls = [], suppress, ...rest } = notifications;
  const table = file.table('notifications');
  carrySection(table, fileKeys.notifications.keys, rest, { path: 'notifications', carrying });
  if (Array.isArray(suppress)) {
    const { codec } = fileKeys.notifications.keys.suppress;
    const upper = suppress.map((name) => (typeof name === 'string' ? name.toUpperCase() : ''));
    const known = upper.filter((name) => codec.decode([name])._tag === 'Right');
    if (known.length > 0 && known.length <= 200) table.set('suppress', known);
    const others = upper.filter((name) => !known.includes(name));
    if (others.length > 0)
      table.left(
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
    if (name !== null) files.push({ file: `${carrying.folder}/${name}` });
    else
      table.left(
        `notifications.urls, number ${String(index + 1)}`,
        parsed?.ok === false ? `expected ${parsed.expected}` : 'no address of a service',
      );
  }
  if (notifications['enabled'] === false)
    table.left('notifications.enabled: false', 'write the addresses back when you want messages');
  else if (files.length > 0) table.set('urls', files);
}

function addLogging(file: Table, logging: Mapping, carrying: Carrying): void {
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
function addProbe(file: Table, health: Mapping, carrying: Carrying, commands: readonly string[]): void {
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
  else table.left('remote_health.probe_command', 'it is not harmless; "true" is probed');
}
