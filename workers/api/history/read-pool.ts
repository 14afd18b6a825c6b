// Schedules reads of the history database: two in parallel, a bounded queue, a deadline for each. A client that disconnects
// stops its query. With two of libuv's four threads blocked by a hanging disk the other two still work.
import type { Outcome } from '../../../shared/protocol/contract.js';
import { ReadConnection, SchemaError } from './connection.js';
import type { SqlValue } from './connection.js';

/** Half of libuv's pool; the rest is for files and names. */
const maxConnections = 2;
/** The limit of connections on TCP and control socket together: a normal client never exceeds it. */
const maxWaiting = 320;

/** Failure codes of a read. The API answers all of them but ABORTED with 503 STATS_UNAVAILABLE. */
export const readFailure = {
  /** No database, an unknown schema, a damaged database, or a disk that does not answer. */
  unavailable: 'UNAVAILABLE',
  deadline: 'DEADLINE_EXCEEDED',
  busy: 'BUSY',
  aborted: 'ABORTED',
} as const;

export interface ReadOptions {
  readonly signal: AbortSignal;
  /** From the call, including the wait in the queue. */
  readonly deadlineMs: number;
}

/** Runs one statement on the connection of a piece of work. */
export type Ask = (sql: string, params: Readonly<Record<string, SqlValue>>) => Promise<readonly unknown[]>;

interface Job {
  readonly start: (slot: Slot) => void;
}

interface Slot {
  connection: ReadConnection | undefined;
}

export class ReadPool {
  readonly #path: string;
  readonly #idle: Slot[] = Array.from({ length: maxConnections }, () => ({ connection: undefined }));
  readonly #waiting: Job[] = [];
  #closed = false;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Runs `work` on its own connection. Never rejects because of disk, database or client; any other exception of `work` is a
   * bug and rejects. An aborted query keeps its connection until SQLite has ended it.
   */
  read<T>(work: (ask: Ask) => Promise<T>, { signal, deadlineMs }: ReadOptions): Promise<Outcome<T>> {
    if (this.#closed) return Promise.resolve(failed('unavailable', 'the history is being closed'));
    if (signal.aborted) return Promise.resolve(failed('aborted', 'the client is gone'));
    if (this.#idle.length === 0 && this.#waiting.length >= maxWaiting)
      return Promise.resolve(failed('busy', 'too many history queries at once; try again in a moment'));
    return new Promise((resolve, reject) => {
      const given = new AbortController();
      const job: Job = {
        start: (slot) => {
          void this.#run(slot, work, given.signal).then(settle, (error: unknown) => {
            settled();
            reject(error instanceof Error ? error : new Error(String(error)));
          });
        },
      };
      const settled = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', gone);
        this.#leaveQueue(job);
      };
      const settle = (outcome: Outcome<T>): void => {
        settled();
        resolve(outcome);
      };
      const giveUp = (code: 'deadline' | 'aborted', message: string): void => {
        settle(failed(code, message));
        given.abort();
      };
      const gone = (): void => giveUp('aborted', 'the client is gone');
      const timer = setTimeout(
        () => giveUp('deadline', `no answer from the history within ${String(deadlineMs)} ms`),
        deadlineMs,
      );
      signal.addEventListener('abort', gone, { once: true });
      const slot = this.#idle.pop();
      if (slot === undefined) this.#waiting.push(job);
      else job.start(slot);
    });
  }

  /** Refuses new reads and closes idle connections; busy ones close when they are done. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#idle.map((slot) => dismiss(slot)));
  }

  async #run<T>(slot: Slot, work: (ask: Ask) => Promise<T>, givenUp: AbortSignal): Promise<Outcome<T>> {
    let stopInterrupting: () => void = () => undefined;
    const stop = (): void => {
      if (slot.connection !== undefined) stopInterrupting = slot.connection.interrupt();
    };
    givenUp.addEventListener('abort', stop, { once: true });
    try {
      const connection = await this.#connected(slot);
      const value = await work((sql, params) => {
        givenUp.throwIfAborted();
        return connection.all(sql, params);
      });
      return { ok: true, value };
    } catch (error) {
      if (givenUp.aborted) return failed('aborted', 'given up');
      if (!isOutside(error)) throw error;
      // After any error the next read opens the file again.
      await dismiss(slot);
      return failed('unavailable', `${this.#path}: ${error.message}`);
    } finally {
      stopInterrupting();
      givenUp.removeEventListener('abort', stop);
      await this.#release(slot);
    }
  }

  async #connected(slot: Slot): Promise<ReadConnection> {
    if (slot.connection !== undefined && !(await slot.connection.isCurrent(this.#path))) await dismiss(slot);
    slot.connection ??= await ReadConnection.open(this.#path);
    return slot.connection;
  }

  async #release(slot: Slot): Promise<void> {
    if (this.#closed) {
      await dismiss(slot);
      return;
    }
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(slot);
    else next.start(slot);
  }

  #leaveQueue(job: Job): void {
    const place = this.#waiting.indexOf(job);
    if (place >= 0) this.#waiting.splice(place, 1);
  }
}

async function dismiss(slot: Slot): Promise<void> {
  const { connection } = slot;
  slot.connection = undefined;
  await connection?.close();
}

/** True for an error from outside; SQLITE_ERROR is a missing table of a database under creation, or a bug in SQL. */
function isOutside(error: unknown): error is Error {
  if (error instanceof SchemaError) return true;
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return /^(SQLITE_|E[A-Z]+$)/.test(error.code);
}

function failed(code: keyof typeof readFailure, message: string): Outcome<never> {
  return { ok: false, error: { code: readFailure[code], message } };
}
