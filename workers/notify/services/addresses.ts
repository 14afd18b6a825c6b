// Resolves names and keeps the last addresses: in an outage the name server often fails first.
import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** Longest wait for a resolver when an earlier address is known. */
const maxTimeoutMs = 2000;

export type Resolve = (
  host: string,
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;
type Found = readonly LookupAddress[];

export class ServiceAddresses {
  readonly #resolve: Resolve;
  readonly #timeoutMs: number;
  readonly #remembered = new Map<string, Found>();
  /** One per name: a hanging look-up blocks one thread of libuv's pool, however often the name is needed. */
  readonly #underWay = new Map<string, Promise<Found>>();

  constructor(resolve: Resolve, timeoutMs: number = maxTimeoutMs) {
    this.#resolve = resolve;
    this.#timeoutMs = timeoutMs;
  }

  /** For `connect` of node:net and node:tls. */
  readonly lookup: LookupFunction = (host, options, callback) => {
    void this.#find(host).then(
      (found) => {
        const [first] = found;
        if (options.all === true) callback(null, [...found]);
        else if (first !== undefined) callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    );
  };

  /** Drops names that are not in `hosts`, and looks the others up in advance. */
  keep(hosts: readonly string[]): void {
    for (const host of [...this.#remembered.keys()]) if (!hosts.includes(host)) this.#remembered.delete(host);
    for (const host of hosts) {
      // The result is stored; the first delivery reports an error.
      if (!this.#remembered.has(host)) this.#ask(host).catch(() => undefined);
    }
  }

  async #find(host: string): Promise<Found> {
    const asked = this.#ask(host);
    const remembered = this.#remembered.get(host);
    if (remembered === undefined) return asked;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<Found>((resolve) => {
      timer = setTimeout(() => resolve(remembered), this.#timeoutMs);
    });
    const found = await Promise.race([asked.catch(() => remembered), timeout]);
    clearTimeout(timer);
    return found;
  }

  #ask(host: string): Promise<Found> {
    const before = this.#underWay.get(host);
    if (before !== undefined) return before;
    const asked = new Promise<Found>((resolve, reject) => {
      this.#resolve(host, (error, found) => {
        this.#underWay.delete(host);
        if (error !== null) reject(error);
        else if (found.length === 0) reject(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }));
        else {
          this.#remembered.set(host, found);
          resolve(found);
        }
      });
    });
    this.#underWay.set(host, asked);
    return asked;
  }
}
