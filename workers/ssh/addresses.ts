// Where servers are: every name looked up ahead of need, the last good answer kept over failures, so that no login
// waits for a name server. Two ways are asked: the system's, which knows all sources but may hang in a thread of the
// pool, and DNS itself, outside the pool; so a dead name holds up nobody but itself.
import { isIP } from 'node:net';
import type { Logger } from '../../shared/runtime/log.js';

export interface Lookups {
  /** As every program of the machine finds it: hosts file, DNS with search domains, mDNS. May never settle. */
  system(name: string): Promise<readonly string[]>;
  /** DNS alone. */
  direct(name: string): Promise<readonly string[]>;
  /** Names of the machine's own hosts file, in lower case. */
  hostsFile(): Promise<ReadonlyMap<string, readonly string[]>>;
}

/**
 * The pool has four threads and gives names two of them; a third question would wait inside it, unseen, where it could
 * not be overtaken by an urgent one.
 */
const systemAtOnce = 2;
/** The system's answer goes before DNS's own; this long it is waited for once DNS has answered. */
const preferSystemMs = 1_000;

interface Name {
  addresses: readonly string[];
  looking: Promise<void> | null;
  /** A lookup has ended, with an address or without. */
  asked: boolean;
  /** Lookups failed since the last good one, so that the log says it once. */
  failing: boolean;
}

const unknown = (): Name => ({ addresses: [], looking: null, asked: false, failing: false });

export class Addresses {
  readonly #lookups: Lookups;
  readonly #log: Logger;
  readonly #names = new Map<string, Name>();
  #running = 0;
  readonly #waiting: (() => void)[] = [];
  /** Called when a lookup has ended. */
  onAnswer: () => void = () => undefined;

  constructor(lookups: Lookups, log: Logger) {
    this.#lookups = lookups;
    this.#log = log;
  }

  /** The names to keep addresses of from now on; new ones are looked up. */
  watch(hosts: readonly string[]): void {
    const wanted = new Set(hosts.filter((host) => isIP(host) === 0));
    for (const name of this.#names.keys()) if (!wanted.has(name)) this.#names.delete(name);
    for (const name of wanted) {
      if (this.#names.has(name)) continue;
      this.#names.set(name, unknown());
      void this.#look(name, false);
    }
  }

  /** Looks all names up again. Nobody waits for it. */
  refresh(): void {
    for (const name of this.#names.keys()) void this.#look(name, false);
  }

  /** Looks the names up again that have no address yet. The caller does not wait for it. */
  retry(): void {
    for (const [host, { addresses }] of this.#names) if (addresses.length === 0) void this.#look(host, false);
  }

  /** False for a name that no lookup has found an address of; undefined until one has ended. */
  isKnown(host: string): boolean | undefined {
    if (isIP(host) !== 0) return true;
    const name = this.#names.get(host);
    if (name === undefined || !name.asked) return undefined;
    return name.addresses.length > 0;
  }

  /** The last good addresses, at once; for a name that has none yet, the first answer within `ms`. Empty: none. */
  async find(host: string, ms: number): Promise<readonly string[]> {
    if (isIP(host) !== 0) return [host];
    const name = this.#names.get(host) ?? unknown();
    this.#names.set(host, name);
    if (name.addresses.length > 0) return name.addresses;
    let timer: NodeJS.Timeout | undefined;
    const overdue = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
    await Promise.race([this.#look(host, true), overdue]);
    clearTimeout(timer);
    return name.addresses;
  }

  #look(host: string, urgent: boolean): Promise<void> {
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
            ? `the name ${host} does not resolve: this server could not be shut down; use its address, or put it into /etc/hosts`
            : `the name ${host} does not resolve any more; ${kept} is used, which it was last`,
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
    const first = await Promise.race([system, patiently(direct, preferSystemMs)]);
    if (first.length > 0) return first;
    // One of the two has nothing; what the other says counts, however late.
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
      // ENOTFOUND, EAI_AGAIN and the like: no address, whatever the reason.
      return [];
    } finally {
      this.#running -= 1;
      this.#waiting.shift()?.();
    }
  }
}

const none = (): readonly string[] => [];

/** The answer, `ms` after it came. */
const patiently = async (answer: Promise<readonly string[]>, ms: number): Promise<readonly string[]> => {
  const addresses = await answer;
  await new Promise((resolve) => setTimeout(resolve, ms).unref());
  return addresses;
};

/** What the system still may take once DNS has nothing: as long as it takes its own name servers to give up. */
const untilLate = (): Promise<readonly string[]> =>
  new Promise((resolve) => setTimeout(() => resolve([]), 30_000).unref());
