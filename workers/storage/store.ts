// Holds the database open and lets one piece of work at a time have it. It reopens what broke, moves aside what is
// damaged, and says so; it never gives up and never ends because the disk did.
import type { Outcome } from '../../shared/protocol/contract.js';
import { storageFailure } from '../../shared/protocol/storage.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { Database } from './database.js';
import type { StorageFault } from './faults.js';
import { adviceFor, faultOf } from './faults.js';
import { identityOf, moveAside, openDatabase } from './opening.js';

/** Pieces of work that may wait for the one under way; with a disk that stands still, more would only pile up. */
const mostWaiting = 8;
/** Between two tries to open: the supervisor asks again every second, and a try costs some system calls. */
const reopenPauseMs = 900;

const longestMessage = 1024;

type State =
  | { readonly kind: 'closed'; readonly fault: StorageFault | null; readonly retryAtMs: number }
  | { readonly kind: 'open'; readonly db: Database; readonly identity: string | null };

export interface StoreDependencies {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Told of every change from usable to unusable and back; the fault is null while usable. */
  readonly changed: (fault: StorageFault | null, message: string) => void;
}

export class Store {
  readonly #deps: StoreDependencies;
  #state: State = { kind: 'closed', fault: null, retryAtMs: 0 };
  /** The last fault told of, null while usable, undefined before the first piece of work. */
  #told: StorageFault['code'] | null | undefined;
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  constructor(deps: StoreDependencies) {
    this.#deps = deps;
  }

  /** Does `work` after all that was asked for before. What it throws that is no fault is a bug and rejects. */
  perform<T>(work: (db: Database) => Promise<T>): Promise<Outcome<T>> {
    if (this.#waiting >= mostWaiting)
      return Promise.resolve(
        failure(storageFailure.busy, 'the database has not answered earlier requests yet'),
      );
    this.#waiting += 1;
    const done = this.#tail.then(() => this.#perform(work)).finally(() => (this.#waiting -= 1));
    // The next piece of work starts after this one whatever came of it; its asker is told of a bug.
    this.#tail = done.catch(() => undefined);
    return done;
  }

  /** After all work under way: folds the log into the file and closes. */
  async close(): Promise<void> {
    await this.#tail;
    await this.#close(null);
  }

  async #perform<T>(work: (db: Database) => Promise<T>): Promise<Outcome<T>> {
    const state = this.#state;
    const { path, clock } = this.#deps;
    if (state.kind === 'closed' && state.fault !== null && clock.monotonicMs() < state.retryAtMs)
      return failure(state.fault.code, adviceFor(state.fault, path));
    try {
      const value = await work(await this.#usable());
      this.#tell(null);
      return { ok: true, value };
    } catch (error) {
      const fault = faultOf(error);
      if (fault === undefined) throw error;
      const standing = await this.#suffer(fault);
      this.#tell(standing);
      return failure(standing.code, adviceFor(standing, path));
    }
  }

  async #usable(): Promise<Database> {
    const { path, log } = this.#deps;
    if (this.#state.kind === 'open') {
      if ((await identityOf(path)) === this.#state.identity) return this.#state.db;
      log.warning(`${path} was removed or replaced from outside: it is opened anew`);
      await this.#close(null);
    }
    const opened = await openDatabase(path);
    this.#state = { kind: 'open', ...opened };
    return opened.db;
  }

  /** What follows from a fault. Returns the one that stands. */
  async #suffer(fault: StorageFault): Promise<StorageFault> {
    switch (fault.code) {
      case storageFailure.diskFull:
      case storageFailure.locked:
        // The connection is good; what did not fit or was locked out is asked again.
        if (this.#state.kind === 'closed') await this.#close(fault);
        return fault;
      case storageFailure.corrupt:
        return this.#setAside(fault);
      case storageFailure.readOnly:
      case storageFailure.ioError:
      case storageFailure.cannotOpen:
      case storageFailure.newerSchema:
        await this.#close(fault);
        return fault;
    }
  }

  async #setAside(fault: StorageFault): Promise<StorageFault> {
    const { path, clock, log } = this.#deps;
    await this.#close(fault);
    try {
      const aside = await moveAside(path, clock.wallSeconds());
      log.error(
        `${path} is damaged (${fault.cause}). It was moved to ${aside} and is kept; a new database is begun, and the history starts anew. ` +
          'What can be saved of it, `sqlite3 FILE .recover` shows. Check the disk.',
      );
      this.#state = { kind: 'closed', fault: null, retryAtMs: 0 };
      return fault;
    } catch (error) {
      const worse = faultOf(error);
      if (worse === undefined) throw error;
      await this.#close(worse);
      return worse;
    }
  }

  async #close(fault: StorageFault | null): Promise<void> {
    const state = this.#state;
    this.#state = { kind: 'closed', fault, retryAtMs: this.#deps.clock.monotonicMs() + reopenPauseMs };
    if (state.kind === 'closed') return;
    try {
      await state.db.close();
    } catch (error) {
      if (faultOf(error) === undefined) throw error;
    }
  }

  #tell(fault: StorageFault | null): void {
    const code = fault?.code ?? null;
    const before = this.#told;
    if (code === before) return;
    this.#told = code;
    const { path, log, changed } = this.#deps;
    if (fault === null) {
      if (before !== undefined) log.info(`${path}: the database is usable again; what waited is written now`);
      changed(null, 'usable');
    } else {
      log.error(adviceFor(fault, path));
      changed(fault, adviceFor(fault, path));
    }
  }
}

function failure(code: string, message: string): Outcome<never> {
  return { ok: false, error: { code, message: message.slice(0, longestMessage) } };
}
