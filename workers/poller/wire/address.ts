// Resolves the name of a server. A look-up can hang for 10 s in libuv's pool and cannot be cancelled: once a name has
// resolved, no poll waits for a look-up again, and at most one runs at a time.
import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { Deadline } from './deadline.js';
import { withinDeadline } from './deadline.js';
import type { NutAnswer } from './errors.js';
import { answerOf, failureOf } from './errors.js';

export type Lookup = (host: string) => Promise<readonly LookupAddress[]>;

export class ServerAddress {
  readonly #host: string;
  readonly #lookup: Lookup;
  #known: readonly LookupAddress[] = [];
  #running: Promise<NutAnswer<readonly LookupAddress[]>> | undefined;

  constructor(host: string, look: Lookup = (name) => lookup(name, { all: true })) {
    this.#host = host;
    this.#lookup = look;
    const family = isIP(host);
    if (family !== 0) this.#known = [{ address: host, family }];
  }

  /** Returns the last addresses immediately and starts a new look-up; the first call waits for the look-up. */
  async find(deadline: Deadline): Promise<NutAnswer<readonly LookupAddress[]>> {
    if (isIP(this.#host) !== 0) return answerOf(this.#known);
    this.#running ??= this.#resolve();
    if (this.#known.length > 0) return answerOf(this.#known);
    return withinDeadline(deadline, this.#running, () =>
      failureOf('TIMEOUT', `${this.#host}: the name was not resolved within ${String(deadline.totalMs)} ms`),
    );
  }

  async #resolve(): Promise<NutAnswer<readonly LookupAddress[]>> {
    try {
      const found = await this.#lookup(this.#host);
      if (found.length === 0) return failureOf('SERVER_DOWN', `${this.#host}: the name has no address`);
      this.#known = found;
      return answerOf(found);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? String(error);
      return failureOf('SERVER_DOWN', `${this.#host}: the name does not resolve (${code})`);
    } finally {
      this.#running = undefined;
    }
  }
}
