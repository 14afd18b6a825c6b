// Resolves the names of servers in advance and keeps the last good answer over failures, so that no login waits for a name
// server. Uses two resolvers: the system's, which has all sources but may hang in a thread of the pool, and DNS outside the
// pool. So a name that does not resolve blocks no other name.
import { isIP } from 'node:net';
import type { Logger } from '../../shared/runtime/log.js';

export interface Lookups {
  /** The resolver of the system: hosts file, DNS with search domains, mDNS. May never settle. */
  system(name: string): Promise<readonly string[]>;
  /** DNS alone. */
  direct(name: string): Promise<readonly string[]>;
  /** Names of the hosts file of this machine, in lower case. */
  hostsFile(): Promise<ReadonlyMap<string, readonly string[]>>;
}

/** The pool has four threads; names use two. A third look-up would wait in it, where an urgent one cannot overtake it. */
const systemAtOnce = 2;
/** The answer of the system has priority: wait this long for it after the answer of DNS. */
const preferSystemMs = 1_000;

interface Name {
  addresses: readonly string[];
  looking: Promise<void> | null;
  /** True after the first look-up, with or without an address. */
  asked: boolean;
  /** True while look-ups fail; logged once. */
  failing: boolean;
}

const unknown = (): Name => ({ addresses: [], looking: null, asked: false, failing: false });

export class HostAddresses {
  readonly #lookups: Lookups;
  readonly #log: Logger;
  readonly #names = new Map<string, Name>();
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  /** Called at the end of each look-up. */
  onAnswer: () => void = () => undefined;

  constructor(lookups: Lookups, log: Logger) {
    this.#lookups = lookups;
    this.#log = log;
  }

  /** Sets the names to resolve; new ones are looked up. */
  watch(hosts: readonly string[]): void {
    const wanted = new Set(hosts.filter((host) => isIP(host) === 0));
    for (const name of this.#names.keys()) if (!wanted.has(name)) this.#names.delete(name);
    for (const name of wanted) {
      if (this.#names.has(name)) continue;
      this.#names.set(name, unknown());
      void this.#resolveName(name, false);
    }
  }

  /** Looks all names up again, in the background. */
  refresh(): void {
    for (const name of this.#names.keys()) void this.#resolveName(name, false);
  }

  /** Looks up the names without an address again, in the background. */
  retry(): void {
    for (const [host, { addresses }] of this.#names)
      if (addresses.length === 0) void this.#resolveName(host, false);
  }

  /** False for a name without an address; undefined until a look-up has ended. */
  isKnown(host: string): boolean | undefined {
    if (isIP(host) !== 0) return true;
    const name = this.#names.get(host);
    if (name === undefined || !name.asked) return undefined;
    return name.addresses.length > 0;
  }

  /** The last good addresses, without any look-up. Empty: none. */
  lastAddresses(host: string): readonly string[] {
    return isIP(host) !== 0 ? [host] : (this.#names.get(host)?.addresses ?? []);
  }

  /** The last good addresses, immediately; for a name without one the first answer within `ms`. Empty: none. */
  async find(host: string, ms: number): Promise<readonly string[]> {
    if (isIP(host) !== 0) return [host];
    const name = this.#names.get(host) ?? unknown();
    this.#names.set(host, name);
    if (name.addresses.length > 0) return name.addresses;
    let timer: NodeJS.Timeout | undefined;
    const overdue = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
    await Promise.race([this.#resolveName(host, true), overdue]);
    clearTimeout(timer);
    return name.addresses;
  }

  #resolveName(host: string, urgent: boolean): Promise<void> {
    const name = this.#names.get(host);
    if (name === undefined) return Promise.resolve();
    name.looking ??= this.#ask(host, urgent).then((addresses) => {
      name.looking = null;
      name.asked = true;
      if (addresses.length > 0) {
        name.addresses = addresses;
        name.failing = false;
      } else if (!name.failing) {
        name.failing = true;
        const kept = name.addresses.join(', ');
        this.#log.warning(
          kept === ''
            ? `the name ${host} does not resolve: this server could not be shut down; use its address, or add it to /etc/hosts`
            : `the name ${host} does not resolve any more; its last address ${kept} is used`,
        );
      }
      this.onAnswer();
    });
    return name.looking;
  }

  async #ask(host: string, urgent: boolean): Promise<readonly string[]> {
    const local = await this.#lookups.hostsFile();
    const own = local.get(host.toLowerCase());
    if (own !== undefined) return own;
    const system = this.#system(host, urgent);
    const direct = this.#lookups.direct(host).catch(none);
    const first = await Promise.race([system, withTimeout(direct, preferSystemMs)]);
    if (first.length > 0) return first;
    // One of the two has no address: take the answer of the other, however late.
    const [one, other] = await Promise.all([direct, Promise.race([system, direct.then(untilLate)])]);
    return other.length > 0 ? other : one;
  }

  async #system(host: string, urgent: boolean): Promise<readonly string[]> {
    if (this.#running >= systemAtOnce)
      await new Promise<void>((go) => (urgent ? this.#waiting.unshift(go) : this.#waiting.push(go)));
    this.#running += 1;
    try {
      return await this.#lookups.system(host);
    } catch {
      // ENOTFOUND, EAI_AGAIN and others: no address.
      return [];
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }
}

const none = (): readonly string[] => [];

/** The answer, `ms` after its arrival. */
const withTimeout = async (answer: Promise<readonly string[]>, ms: number): Promise<readonly string[]> => {
  const addresses = await answer;
  await new Promise((resolve) => setTimeout(resolve, ms).unref());
  return addresses;
};

/** The longest wait for the system when DNS has no address: until the system's own name servers time out. */
const untilLate = (): Promise<readonly string[]> =>
  new Promise((resolve) => setTimeout(() => resolve([]), 30_000).unref());
