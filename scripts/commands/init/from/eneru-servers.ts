// remote_servers of Eneru: the options of ssh as keys, `parallel` as an order, actions, and the host of a container.
import { accepts } from '../../../../supervisor/config/schema/codec.js';
import type { DraftTable } from '../../../../shared/domain/setup/config-draft.js';
import { preShutdownKeys, remoteServerKeys } from '../../../../supervisor/config/schema/remote-server.js';
import type { Carrying, Mapping } from './eneru-tree.js';
import { carrySection, carryValue, isMapping, pick } from './eneru-tree.js';

const own = [
  'name',
  'host',
  'user',
  'enabled',
  'parallel',
  'shutdown_order',
  'ssh_options',
  'is_host_loopback',
  'pre_shutdown_commands',
  'shutdown_command',
  'augment_remote_path',
];
const identity = ['host_identity_command', 'expected_host_identity'];
const ownKeys = pick(remoteServerKeys, [
  ...['connect_timeout', 'command_timeout', 'use_sudo', 'ssh_key_path', 'shutdown_safety_margin'],
]);
/** The default of Eneru. */
const shutdownCommand = 'sudo shutdown -h now';
const maxServers = 100;

export class EneruServers {
  readonly commands: string[] = [];
  readonly #carrying: Carrying;
  readonly #names = new Set<string>();
  readonly #targets = new Set<string>();
  #hasDelegate = false;

  constructor(carrying: Carrying) {
    this.#carrying = carrying;
  }

  add(owner: DraftTable, servers: readonly unknown[], path: string): void {
    const orders = ordersOf(servers);
    for (const [index, server] of servers.entries()) {
      const where = `${path}[${String(index)}]`;
      if (!isMapping(server) || index >= maxServers)
        owner.leavesOut(where, 'it is no mapping, or above 100 servers');
      else this.#server(owner, server, { where, order: orders[index] ?? 1 });
    }
  }

  #server(
    owner: DraftTable,
    server: Mapping,
    { where, order }: { readonly where: string; readonly order: number },
  ): void {
    const { host, user, name, enabled, is_host_loopback: isLoopback } = server;
    if (!remoteServerKeys.host.codec.is(host) || !remoteServerKeys.user.codec.is(user)) {
      owner.leavesOut(where, 'host and user are needed, each in a form that ssh takes as it is');
      return;
    }
    const port = portOf(optionsOf(server['ssh_options']));
    const target = `${user}@${host.toLowerCase()}:${String(port)}`;
    const isDelegate = isLoopback === true;
    if (this.#targets.has(target) || (isDelegate && (this.#hasDelegate || owner.get('is_local') !== true))) {
      owner.leavesOut(
        where,
        isDelegate
          ? 'the host of the container is below the UPS with is_local, once'
          : 'this machine has an owner already',
      );
      return;
    }
    this.#targets.add(target);
    const row = owner.row('remote_servers');
    row.set('name', this.#nameOf(typeof name === 'string' ? name : '', host));
    row
      .set('enabled', enabled === true)
      .set('host', host)
      .set('user', user);
    if (isDelegate) {
      this.#hasDelegate = true;
      row.set('host_delegate', true, 'is_host_loopback');
    } else row.set('shutdown_order', order);
    this.#options(row, server['ssh_options'], where);
    const { shutdown_command: given } = server;
    const command = typeof given === 'string' && given.trim() !== '' ? given : shutdownCommand;
    carryValue(
      row,
      'shutdown_command',
      remoteServerKeys.shutdown_command.codec,
      command,
      `${where}.shutdown_command`,
    );
    this.commands.push(command);
    carrySection(row, ownKeys, server, {
      path: where,
      except: [...own, ...identity],
      carrying: this.#carrying,
    });
    for (const key of identity)
      if (Object.hasOwn(server, key))
        row.leavesOut(`${where}.${key}`, 'host_delegate takes the host key of the host as its identity');
    this.#actions(row, server['pre_shutdown_commands'], where);
  }

  /** Names are unique in the file. */
  #nameOf(given: string, host: string): string {
    const usable = remoteServerKeys.name.codec.is(given) && given.length < 120 ? given : host.slice(0, 119);
    let name = usable;
    for (let count = 2; this.#names.has(name); count += 1) name = `${usable} ${String(count)}`;
    this.#names.add(name);
    return name;
  }

  #options(row: DraftTable, given: unknown, where: string): void {
    for (const { option, value } of optionsOf(given)) {
      const key = keys[option.toLowerCase()];
      const converted = key === undefined ? undefined : key.convert(value);
      if (key !== undefined && converted !== undefined && !row.has(key.name)) {
        const { codec } = remoteServerKeys[key.name];
        if (accepts(codec, converted)) {
          row.set(key.name, converted);
          continue;
        }
      }
      const why =
        option.toLowerCase() === 'stricthostkeychecking'
          ? 'a host key is always checked: host_key_policy = "accept-new" takes the first one'
          : 'the SSH client of the daemon has no such option';
      row.leavesOut(`${where}.ssh_options ${option.slice(0, 60)}`, why);
    }
  }

  #actions(row: DraftTable, given: unknown, where: string): void {
    const steps = Array.isArray(given) ? (given as readonly unknown[]) : [];
    for (const [index, step] of steps.entries()) {
      const path = `${where}.pre_shutdown_commands[${String(index)}]`;
      const why = index >= 100 ? 'there are more than 100' : faultOf(step);
      if (why !== undefined || !isMapping(step)) {
        row.leavesOut(path, why ?? '');
        continue;
      }
      if (typeof step['command'] === 'string') this.commands.push(step['command']);
      carrySection(row.row('pre_shutdown_commands'), preShutdownKeys, step, {
        path,
        carrying: this.#carrying,
      });
    }
  }
}

/** Why an action cannot be carried: Eneru would skip it when it shuts down. */
function faultOf(step: unknown): string | undefined {
  if (!isMapping(step)) return 'it is no mapping';
  const { action = null, command = null, path = null, mounts = null } = step;
  const isAction = preShutdownKeys.action.codec.is(action);
  if (command === null ? !isAction : action !== null || !preShutdownKeys.command.codec.is(command))
    return 'expected either a known action or a command';
  if (
    (action === 'stop_compose') !== (path !== null) ||
    (path !== null && !preShutdownKeys.path.codec.is(path))
  )
    return '`path` belongs to stop_compose, and is absolute';
  const hasMounts = Array.isArray(mounts) && mounts.length > 0;
  if (
    (action === 'unmount_filesystems') !== hasMounts ||
    (hasMounts && !accepts(preShutdownKeys.mounts.codec, mounts))
  )
    return '`mounts` belongs to unmount_filesystems';
  return undefined;
}

/** Eneru's effective order, as ranks from 1: `parallel: false` without an order is a place of its own before the others. */
function ordersOf(servers: readonly unknown[]): readonly number[] {
  const serial = servers.filter((server) => isMapping(server) && server['parallel'] === false).length;
  let place = -serial;
  const effective = servers.map((server) => {
    const { shutdown_order: order, parallel } = isMapping(server) ? server : {};
    if (typeof order === 'number' && Number.isInteger(order) && order >= 1) return order;
    return parallel === false ? place++ : 0;
  });
  const ranks = [...new Set(effective)].sort((a, b) => a - b);
  return effective.map((one) => ranks.indexOf(one) + 1);
}

const number = (text: string): number | undefined => (/^\d{1,6}$/.test(text) ? Number(text) : undefined);
const text = (value: string): string => value;
const keys: Readonly<
  Record<
    string,
    | {
        readonly name: 'port' | 'known_hosts_file' | 'connect_timeout' | 'ssh_key_path' | 'host_key_policy';
        readonly convert: (value: string) => string | number | undefined;
      }
    | undefined
  >
> = {
  port: { name: 'port', convert: number },
  userknownhostsfile: { name: 'known_hosts_file', convert: text },
  connecttimeout: { name: 'connect_timeout', convert: number },
  identityfile: { name: 'ssh_key_path', convert: text },
  stricthostkeychecking: {
    name: 'host_key_policy',
    convert: (value) => ({ yes: 'strict', 'accept-new': 'accept-new' })[value.toLowerCase()],
  },
};

interface SshOption {
  readonly option: string;
  readonly value: string;
}

/** `-o Name=value`, `-p 22`, `-i FILE` in any division into list elements. */
function optionsOf(given: unknown): readonly SshOption[] {
  const all = (Array.isArray(given) ? given : []).filter((one) => typeof one === 'string');
  const words = all
    .flatMap((one) => one.split(/\s+/))
    .filter((word) => word !== '')
    .slice(0, 200);
  const options: SshOption[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const [, flag = '', rest = ''] = /^-([opi])(.*)$/.exec(word) ?? [];
    const value = flag !== '' && rest === '' ? (words[(at += 1)] ?? '') : rest;
    if (flag === 'p') options.push({ option: 'Port', value });
    else if (flag === 'i') options.push({ option: 'IdentityFile', value });
    else {
      const [option = '', ...more] = (flag === 'o' ? value : word).split('=');
      options.push({ option, value: more.join('=') });
    }
  }
  return options;
}

const portOf = (options: readonly SshOption[]): number =>
  number(options.find(({ option }) => option.toLowerCase() === 'port')?.value ?? '') ?? 22;
