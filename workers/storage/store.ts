// Keeps the database open and runs one piece of work on it at a time. Reopens it after a fault, moves a damaged one aside, and
// logs both. It never stops trying; a failed disk never ends the worker.
import type { Outcome } from '../../shared/protocol/contract.js';
import { storageFailure } from '../../shared/protocol/storage.js';
import type { Clock } from '../../shared/runtime/clock.js';
import type { Logger } from '../../shared/runtime/log.js';
import { SerialWork } from '../../shared/runtime/serial-work.js';
import type { Database } from './database.js';
import type { StorageFault } from './faults.js';
import { adviceFor, faultOf } from './faults.js';
import { identityOf, moveAside, openDatabase } from './open-database.js';

/** Pieces of work that may wait for the one under way. With a hanging disk, more would only accumulate. */
const maxWaiting = 8;
/** Between two attempts to open: the supervisor repeats its request every second, and an attempt costs some system calls. */
const reopenPauseMs = 900;

const maxMessageLength = 1024;

type StoreState =
  | { readonly kind: 'closed'; readonly fault: StorageFault | null; readonly retryAtMs: number }
  | { readonly kind: 'open'; readonly db: Database; readonly identity: string | null };

export interface StoreDependencies {
  readonly path: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Called at every change from usable to unusable and back; the fault is null while usable. */
  readonly changed: (fault: StorageFault | null, message: string) => void;
}

export class Store {
  readonly #deps: StoreDependencies;
  #state: StoreState = { kind: 'closed', fault: null, retryAtMs: 0 };
  /** The last reported fault, null while usable, undefined before the first piece of work. */
  #reported: StorageFault['code'] | null | undefined;
  readonly #work = new SerialWork();
  #waiting = 0;

  constructor(deps: StoreDependencies) {
    this.#deps = deps;
  }

  /** Runs `work` after all earlier work. An exception that is no fault is a bug and rejects. */
  perform<T>(work: (db: Database) => Promise<T>): Promise<Outcome<T>> {
    if (this.#waiting >= maxWaiting)
      return Promise.resolve(
        failure(storageFailure.busy, 'the database has not answered earlier requests yet'),
      );
    this.#waiting += 1;
    return this.#work.run(() => this.#perform(work).finally(() => (this.#waiting -= 1)));
  }

  /** After all work under way: checkpoints the write-ahead log and closes. */
  async close(): Promise<void> {
    await this.#work.run(() => this.#close(null));
  }

  async #perform<T>(work: (db: Database) => Promise<T>): Promise<Outcome<T>> {
    const state = this.#state;
    const { path, clock } = this.#deps;
    if (state.kind === 'closed' && state.fault !== null && clock.monotonicMs() < state.retryAtMs)
      return failure(state.fault.code, adviceFor(state.fault, path));
    try {
      const value = await work(await this.#usable());
      this.#report(null);
      return { ok: true, value };
    } catch (error) {
      const fault = faultOf(error);
      if (fault === undefined) throw error;
      const standing = await this.#handleFault(fault);
      this.#report(standing);
      return failure(standing.code, adviceFor(standing, path));
    }
  }

  async #usable(): Promise<Database> {
    const { path, log } = this.#deps;
    if (this.#state.kind === 'open') {
      if ((await identityOf(path)) === this.#state.identity) return this.#state.db;
      log.warning(`${path} was removed or replaced by another program: opening it again`);
      await this.#close(null);
    }
    const opened = await openDatabase(path);
    this.#state = { kind: 'open', ...opened };
    return opened.db;
  }

  /** Handles a fault; returns the resulting one. */
  async #handleFault(fault: StorageFault): Promise<StorageFault> {
    switch (fault.code) {
      case storageFailure.diskFull:
      case storageFailure.locked:
        // The connection is good; the supervisor repeats the work.
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
        `${path} is damaged (${fault.cause}). It was moved to ${aside}. A new, empty history database is created. ` +
          '`sqlite3 FILE .recover` recovers data from it. Check the disk.',
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

  #report(fault: StorageFault | null): void {
    const code = fault?.code ?? null;
    const before = this.#reported;
    if (code === before) return;
    this.#reported = code;
    const { path, log, changed } = this.#deps;
    if (fault === null) {
      if (before !== undefined)
        log.info(`${path}: the database is usable again; waiting data is written now`);
      changed(null, 'usable');
    } else {
      log.error(adviceFor(fault, path));
      changed(fault, adviceFor(fault, path));
    }
  }
}

function failure(code: string, message: string): Outcome<never> {
  return { ok: false, error: { code, message: message.slice(0, maxMessageLength) } };
}
