// The resolvers of the daemon: system, DNS and hosts file, each with its own bound.
import { lookup, Resolver } from 'node:dns/promises';
import { open } from 'node:fs/promises';
import type { Lookups } from './addresses.js';

const hostsPath = '/etc/hosts';
const maxHostsBytes = 1_048_576;
/** With one retry on each name server; c-ares would otherwise time out after more than a minute. */
const directTimeoutMs = 1_500;
const directTries = 2;

export function systemLookups(): Lookups {
  return {
    system: async (name) => (await lookup(name, { all: true, verbatim: true })).map(({ address }) => address),
    direct: async (name) => {
      // Search domains are the task of the system: DNS does not resolve a name without a dot.
      if (!name.includes('.')) return [];
      const resolver = new Resolver({ timeout: directTimeoutMs, tries: directTries });
      const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
      return [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    },
    hostsFile: async () => parseHosts(await readHosts()),
  };
}

async function readHosts(): Promise<string> {
  try {
    const file = await open(hostsPath, 'r');
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(maxHostsBytes), 0, maxHostsBytes, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    // No hosts file, or not readable: the other resolvers remain.
    return '';
  }
}

/** The names of hosts(5), each with its addresses in the order of the file. */
export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address, ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (address === undefined || address === '') continue;
    for (const alias of aliases.map((one) => one.toLowerCase()))
      names.set(alias, [...(names.get(alias) ?? []), address]);
  }
  return names;
}
