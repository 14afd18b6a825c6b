// The UPSes and redundancy groups of Eneru's file, with the servers and local resources below them.
import type { DraftTable } from '../../../../shared/domain/setup/config-draft.js';
import { fullUpsName, groupIdOf, parseUpsName } from '../../../../shared/domain/ups/ups-name.js';
import { redundancyGroupKeys } from '../../../../supervisor/config/schema/redundancy-group.js';
import { upsKeys } from '../../../../supervisor/config/schema/ups.js';
import { isUpsName } from '../ups-names.js';
import { EneruServers } from './eneru-servers.js';
import type { Carrying, Mapping } from './eneru-tree.js';
import { carrySection, carryValue, isMapping, pick } from './eneru-tree.js';

/** Local resources and servers, in either place. */
const resources = ['virtual_machines', 'containers', 'docker', 'filesystems', 'remote_servers'] as const;
/** Eneru accepts them below a single `ups:` and ignores them. */
const ignored = ['triggers', 'is_local', 'battery_health', 'nut_control', 'self_test', ...resources];
/** The keys of a UPS and of a group that both programs have. */
const ownKeys = pick(upsKeys, [
  ...['display_name', 'check_interval', 'max_stale_data_tolerance', 'connection_loss_grace_period'],
  ...['triggers', 'nut_control', 'battery_health', 'self_test'],
]);
const groupKeys = pick(redundancyGroupKeys, ['degraded_counts_as', 'unknown_counts_as', 'triggers']);
const maxUpses = 1000;
const maxGroups = 100;

/** Returns every command of the servers. */
export function addOwners(file: DraftTable, tree: Mapping, carrying: Carrying): string[] {
  const owners = new Owners(file, carrying);
  const { ups } = tree;
  if (isMapping(ups)) {
    const { ...entry } = ups;
    for (const key of ignored)
      if (Object.hasOwn(entry, key)) {
        file.leavesOut(`ups.${key}`, 'Eneru ignores it below a single "ups:"');
        Reflect.deleteProperty(entry, key);
      }
    const below = Object.fromEntries(
      resources.flatMap((key) => (Object.hasOwn(tree, key) ? [[key, tree[key]]] : [])),
    );
    owners.ups({ name: 'UPS@localhost', ...entry, ...below, is_local: true }, 'ups', '');
  } else {
    for (const [index, entry] of (Array.isArray(ups) ? (ups as unknown[]) : []).entries())
      owners.ups(entry, `ups[${String(index)}]`);
    for (const key of resources)
      if (Object.hasOwn(tree, key) && tree[key] !== null)
        file.leavesOut(key, 'Eneru ignores it where "ups" is a list; it stands below the UPS that powers it');
  }
  const groups = tree['redundancy_groups'];
  for (const [index, entry] of (Array.isArray(groups) ? (groups as unknown[]) : []).entries())
    owners.group(entry, `redundancy_groups[${String(index)}]`);
  return owners.servers.commands;
}

class Owners {
  readonly servers: EneruServers;
  readonly #file: DraftTable;
  readonly #carrying: Carrying;
  /** By every form of the name: the full name. */
  readonly #upses = new Map<string, string>();
  readonly #groups = new Set<string>();
  #hasLocal = false;
  #count = 0;

  constructor(file: DraftTable, carrying: Carrying) {
    this.#file = file;
    this.#carrying = carrying;
    this.servers = new EneruServers(carrying);
  }

  /** `below`: what stands before the names of its resources. */
  ups(entry: unknown, path: string, below = `${path}.`): void {
    const given: Mapping = isMapping(entry) ? entry : {};
    const { name = 'UPS@localhost' } = given;
    const address = typeof name === 'string' ? parseUpsName(name) : undefined;
    const why = !isMapping(entry)
      ? 'it is no mapping'
      : typeof name !== 'string' || address === undefined || !isUpsName(name)
        ? `name takes ${upsKeys.name.codec.name}`
        : this.#upses.has(fullUpsName(address)) || this.#upses.has(groupIdOf(name)) || this.#count >= maxUpses
          ? 'the UPS is there already, or above 1000'
          : undefined;
    if (why !== undefined || address === undefined || typeof name !== 'string') {
      this.#file.leavesOut(path, why ?? '');
      return;
    }
    const full = fullUpsName(address);
    this.#upses.set(full, full).set(groupIdOf(name), full);
    this.#count += 1;
    const row = this.#file.row('ups').set('name', name);
    const { is_local: isLocal, ...rest } = given;
    this.#local(row, isLocal, path);
    this.#resources(row, given, below);
    carrySection(row, ownKeys, rest, { path, except: ['name', ...resources], carrying: this.#carrying });
  }

  group(entry: unknown, path: string): void {
    const given: Mapping = isMapping(entry) ? entry : {};
    const { name, ups_sources: sources } = given;
    const members = this.#members(sources);
    const id = typeof name === 'string' ? groupIdOf(name) : '';
    if (
      typeof name !== 'string' ||
      !redundancyGroupKeys.name.codec.is(name) ||
      this.#groups.has(id) ||
      this.#groups.size >= maxGroups ||
      members.length === 0 ||
      !redundancyGroupKeys.ups_sources.codec.is(members)
    ) {
      this.#file.leavesOut(path, 'it has no name of its own, or no UPS of this file');
      return;
    }
    this.#groups.add(id);
    const row = this.#file.row('redundancy_groups').set('name', name).set('ups_sources', members);
    const { min_healthy: least, is_local: isLocal, ...rest } = given;
    if (typeof least === 'number' && least > members.length) {
      row.set('min_healthy', members.length);
      row.leavesOut(`${path}.min_healthy ${String(least)}`, 'it is more than the members');
    } else if (least !== undefined && least !== null)
      carryValue(row, 'min_healthy', redundancyGroupKeys.min_healthy.codec, least, `${path}.min_healthy`);
    this.#local(row, isLocal, path);
    this.#resources(row, given, `${path}.`);
    carrySection(row, groupKeys, rest, {
      path,
      except: ['name', 'ups_sources', ...resources],
      carrying: this.#carrying,
    });
  }

  /** Names of the file, each UPS once, as they are written there. */
  #members(sources: unknown): readonly string[] {
    const seen = new Set<string>();
    return (Array.isArray(sources) ? (sources as unknown[]) : []).flatMap((source) => {
      const address = typeof source === 'string' ? parseUpsName(source) : undefined;
      const full = address === undefined ? undefined : this.#upses.get(fullUpsName(address));
      if (full === undefined || seen.has(full) || typeof source !== 'string') return [];
      seen.add(full);
      return [source];
    });
  }

  #local(row: DraftTable, isLocal: unknown, path: string): void {
    if (isLocal !== true) return;
    if (this.#hasLocal) row.leavesOut(`${path}.is_local`, 'another UPS or group powers this machine already');
    else row.set('is_local', true);
    this.#hasLocal = true;
  }

  #resources(row: DraftTable, given: Mapping, below: string): void {
    const {
      docker,
      containers = docker,
      virtual_machines: machines,
      filesystems,
      remote_servers: servers,
    } = given;
    for (const [name, section] of Object.entries({ virtual_machines: machines, containers, filesystems })) {
      if (section === undefined || section === null) continue;
      const keys = upsKeys[name as 'virtual_machines' | 'containers' | 'filesystems'].keys;
      if (row.get('is_local') !== true)
        row.leavesOut(`${below}${name}`, 'it is of this machine, which this UPS does not power');
      else if (isMapping(section))
        carrySection(row.table(name), keys, section, { path: `${below}${name}`, carrying: this.#carrying });
      else row.leavesOut(`${below}${name}`, 'it is no mapping');
    }
    if (Array.isArray(servers)) this.servers.add(row, servers as unknown[], `${below}remote_servers`);
    else if (servers !== undefined && servers !== null)
      row.leavesOut(`${below}remote_servers`, 'it is no list');
  }
}
