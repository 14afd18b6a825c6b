// The setup that the flags of `ridethrough init` describe. It asks nothing; where a flag is missing it says which.
import { isAbsolute } from 'node:path';
import type { Setup } from '../../../shared/domain/setup/setup.js';
import { parseUpsName } from '../../../shared/domain/ups/ups-name.js';
import { readBounded } from '../../../supervisor/config/read/bounded-file.js';
import { secretFault } from '../../../supervisor/config/schema/secret.js';
import { UsageError } from '../usage.js';
import { searchedText } from './found-text.js';
import type { SearchServer } from './interview.js';
import { parseServer } from './search.js';
import { parseNamedServer, setupUps } from './setup-parts.js';
import { upsNameFault } from './ups-names.js';

export interface Flags {
  readonly nut?: readonly string[] | undefined;
  readonly ups?: readonly string[] | undefined;
  readonly local?: readonly string[] | undefined;
  readonly 'nut-user'?: string | undefined;
  readonly 'nut-password-file'?: string | undefined;
  readonly server?: readonly string[] | undefined;
  readonly api: boolean;
}

type FromFlags =
  | { readonly ok: true; readonly setup: Setup }
  | { readonly ok: false; readonly message: string };

const maxServers = 16;

export async function setupFromFlags(
  flags: Flags,
  search: SearchServer,
  say: (text: string) => void,
): Promise<FromFlags> {
  const { local = [], api } = flags;
  const named = [...new Set([...(flags.ups ?? []), ...local])];
  for (const name of named) {
    const fault = upsNameFault(name);
    if (fault !== undefined) throw new UsageError(fault);
  }
  const login = loginOf(flags);
  const servers = serversOf(flags, named);
  const searched = await Promise.all(servers.map((server) => search(server, login?.login ?? null)));
  say(`${searchedText(searched)}\n`);
  const found = searched.flatMap(({ upses }) => (upses.ok ? upses.value : []));
  const names = named.length > 0 ? named : [...new Set(found.map(({ name }) => name))];
  if (names.length === 0)
    return {
      ok: false,
      message: 'no UPS was found; give one with --ups NAME@HOST, or another server with --nut HOST',
    };
  const upses = names.map((name) => {
    const at = parseUpsName(name);
    const server = searched.find((one) => one.server.host === at?.host && one.server.port === at.port);
    const ups = found.find((one) => one.name === name);
    const known = login === null ? null : { username: login.login.username, passwordFile: login.file };
    return setupUps(name, ups, server?.wantsLogin === true ? known : null);
  });
  return {
    ok: true,
    setup: { upses, local, servers: machinesOf(flags, names, local), servesPage: api },
  };
}

/** With names, only their servers are asked. */
function serversOf({ nut }: Flags, named: readonly string[]) {
  const texts = nut ?? (named.length > 0 ? [] : ['localhost']);
  const given = texts.map((text) => {
    const server = parseServer(text);
    if (server === undefined) throw new UsageError(`--nut ${text.slice(0, 80)}: expected HOST or HOST:PORT`);
    return server;
  });
  const all = [...given, ...named.flatMap((name) => parseUpsName(name) ?? [])];
  const servers = [
    ...new Map(all.map(({ host, port }) => [`${host} ${String(port)}`, { host, port }])).values(),
  ];
  if (servers.length > maxServers)
    throw new UsageError(`at most ${String(maxServers)} NUT servers are asked`);
  return servers;
}

function loginOf(flags: Flags) {
  const { 'nut-user': username, 'nut-password-file': file } = flags;
  if (username === undefined && file === undefined) return null;
  if (username === undefined || file === undefined)
    throw new UsageError('--nut-user and --nut-password-file go together');
  if (!isAbsolute(file)) throw new UsageError('--nut-password-file: expected an absolute path');
  const read = readBounded(file, 8192);
  if (!read.ok) throw new UsageError(`--nut-password-file: ${file} ${read.fault}`);
  const password = read.text.replace(/\r?\n$/, '');
  const fault = password === '' ? 'is empty' : secretFault(password);
  if (fault !== undefined) throw new UsageError(`--nut-password-file: the password ${fault}`);
  return { login: { username, password }, file };
}

function machinesOf(
  { server = [] }: Flags,
  names: readonly string[],
  local: readonly string[],
): Setup['servers'] {
  const [only] = names;
  const owner = local.length > 0 ? null : only;
  if (server.length > 0 && owner !== null && names.length > 1)
    throw new UsageError('--server needs a --local UPS, or a single one, that powers it');
  const machines = server.map((text) => {
    const machine = parseNamedServer(text);
    if (machine === undefined)
      throw new UsageError(`--server ${text.slice(0, 80)}: expected NAME=USER@HOST or NAME=USER@HOST:PORT`);
    return { ...machine, ups: owner ?? null };
  });
  if (new Set(machines.map(({ name }) => name)).size < machines.length)
    throw new UsageError('--server: two machines have the same name');
  return machines;
}
