// Eneru's configuration file. Its keys have mostly the same names and meaning; where a default differs, Eneru's is written out.
// Loads the YAML parser, and only this command does.
import { LineCounter, parseDocument } from 'yaml';
import type { DraftTable } from '../../../../shared/domain/setup/config-draft.js';
import { tableWithHead } from '../../../../shared/domain/setup/setup.js';
import { withTime } from '../../../../shared/domain/commands/shutdown-line.js';
import { fileKeys } from '../../../../supervisor/config/schema/file.js';
import { addLogging, addMqtt, addNotifications, addProbe } from './eneru-outbound.js';
import { addOwners } from './eneru-owners.js';
import type { Carrying, Mapping } from './eneru-tree.js';
import { carrySection, isMapping, pick, section } from './eneru-tree.js';
import type { ImportedSource } from './source.js';
import { carry, readSource, DraftSecrets, shellCommand } from './source.js';

export function importEneru(path: string): ImportedSource {
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
  const secrets = new DraftSecrets();
  const compose = (folder: string): DraftTable => composeDraft(tree, { secrets, folder });
  if (!compose('/').has('ups'))
    return { ok: false, message: `${path} has no UPS with a name that upsc takes` };
  return { ok: true, draft: { compose, secrets: secrets.all, unread: [] } };
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

/** Carried by a function of their own, or below the UPS that owns them. */
const own = [
  ...[
    'ups',
    'redundancy_groups',
    'remote_servers',
    'virtual_machines',
    'containers',
    'docker',
    'filesystems',
  ],
  ...[
    'triggers',
    'behavior',
    'local_shutdown',
    'notifications',
    'mqtt',
    'logging',
    'remote_health',
    'energy',
    'self_test',
  ],
];
/** The other sections of Eneru that have the same name here. */
const sections = pick(fileKeys, [
  'api',
  'prometheus',
  'nut_control',
  'battery_health',
  'reports',
  'statistics',
]);

const shutdownKeys = pick(fileKeys.local_shutdown.keys, [
  ...['enabled', 'message', 'drain_on_local_shutdown', 'trigger_on', 'wall'],
]);

function composeDraft(tree: Mapping, carrying: Carrying): DraftTable {
  const file = tableWithHead('ridethrough init --from-eneru');
  file.table('behavior').set('dry_run', true, 'false: a shutdown is real');
  const commands = addOwners(file, tree, carrying);
  const hasServers = commands.length > 0;
  addTriggers(file, section(tree, 'triggers'), carrying);
  const shutdown = section(tree, 'local_shutdown');
  addLocalShutdown(file, shutdown, carrying, commands);
  if (hasServers)
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
  carrySection(file, sections, Object.fromEntries(rest), { path: '', carrying });
  checkScores(file);
  return file;
}

/** Of a battery: the rule holds across the two, also where a UPS overrides one of them. */
function checkScores(file: DraftTable): void {
  const { warn_score: warnKey, critical_score: criticalKey } = fileKeys.battery_health.keys;
  const all = file.table('battery_health');
  for (const own of [all, ...file.rowsOf('ups').map((row) => row.table('battery_health'))]) {
    const warn = Number(own.get('warn_score') ?? all.get('warn_score') ?? warnKey.fallback);
    const critical = Number(own.get('critical_score') ?? all.get('critical_score') ?? criticalKey.fallback);
    if (warn === 0 || critical < warn) continue;
    own.leavesOut('battery_health scores', 'critical_score is below warn_score');
    own.remove('warn_score');
    own.remove('critical_score');
  }
}

function addTriggers(file: DraftTable, triggers: Mapping, carrying: Carrying): void {
  const table = file.table('triggers');
  table.set(
    'trigger_on_low_battery_flag',
    false,
    'Eneru does not look at LB; true obeys LB as the UPS itself sets it',
  );
  carrySection(table, fileKeys.triggers.keys, triggers, { path: 'triggers', carrying });
}

function addLocalShutdown(file: DraftTable, shutdown: Mapping, carrying: Carrying, commands: string[]): void {
  const table = file.table('local_shutdown');
  const { command, ...rest } = shutdown;
  if (typeof command === 'string' && command.trim() !== '') {
    const words = shellCommand(command);
    const timed = withTime(words);
    carry(table, 'command', fileKeys.local_shutdown.keys.command.codec, timed, {
      what: 'local_shutdown.command',
      comment: timed === words ? '' : 'local_shutdown.command, which gives shutdown no time; "now" is added',
    });
  }
  commands.push(typeof command === 'string' ? shellCommand(command).join(' ') : 'shutdown -h now');
  const isLocal = file.rowsOf('ups', 'redundancy_groups').some((row) => row.get('is_local') === true);
  if (isLocal && rest['trigger_on'] === 'none') {
    table
      .set('enabled', false, 'trigger_on: none in Eneru')
      .leavesOut('local_shutdown.trigger_on', 'a UPS or group with is_local shuts this machine down');
    carrySection(table, shutdownKeys, rest, {
      path: 'local_shutdown',
      except: ['trigger_on', 'enabled'],
      carrying,
    });
  } else carrySection(table, shutdownKeys, rest, { path: 'local_shutdown', carrying });
}

/** Of sections that are there, where the defaults of the two programs differ. */
function addDefaults(file: DraftTable, tree: Mapping): void {
  if (isMapping(tree['self_test']))
    file.table('self_test').set('command', 'test.battery.start', 'the default of Eneru');
  if (isMapping(tree['energy'])) file.table('energy').set('currency', 'USD', 'the default of Eneru');
  if (isMapping(tree['reports'])) file.table('reports').set('weekly', false, 'the default of Eneru');
  if (isMapping(tree['mqtt'])) file.table('mqtt').set('topic_prefix', 'eneru', 'the default of Eneru');
}
