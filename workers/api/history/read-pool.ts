// Schedules reads of the history database: two in parallel, a bounded queue with a bounded wait, a deadline for each. Equal reads
// in the queue are one read. A read that every client has left stops. With two of libuv's four threads blocked by a hanging disk
// the other two still work.
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { SqlValue } from './connection.js';
import { ReadConnection } from './connection.js';

/** Half of libuv's pool; the rest is for files and names. */
const maxConnections = 2;
/** The limit of connections on TCP and control socket together: a normal client never exceeds it. */
const maxWaiting = 320;
/**
 * The longest wait in the queue. A page of charts takes a second on a slow disk; a client that waits longer learns sooner from a
 * refusal that the database is overloaded.
 */
const usualWaitMs = 2000;

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
type Work = (ask: Ask) => Promise<unknown>;

interface Job {
  readonly key: string;
  readonly work: Work;
  /** Aborts when the last client has left. */
  readonly given: AbortController;
  readonly settled: Promise<Outcome<unknown>>;
  readonly settle: (outcome: Outcome<unknown> | Promise<Outcome<unknown>>) => void;
  clients: number;
  overdue: NodeJS.Timeout | undefined;
}

interface Slot {
  connection: ReadConnection | undefined;
}

export class ReadPool {
  readonly #path: string;
  readonly #maxWaitMs: number;
  readonly #idle: Slot[] = Array.from({ length: maxConnections }, () => ({ connection: undefined }));
  /** By key, the oldest first. */
  readonly #waiting = new Map<string, Job>();
  #closed = false;

  constructor(path: string, maxWaitMs = usualWaitMs) {
    this.#path = path;
    this.#maxWaitMs = maxWaitMs;
  }

  /**
   * Runs `work` on its own connection. Never rejects because of disk, database or client; any other exception of `work` is a
   * bug and rejects. An aborted query keeps its connection until SQLite has ended it. Calls with equal keys ask for the same:
   * those that wait share one run, and so one value. No call gets a value that was read before it.
   */
  read<T>(key: string, work: (ask: Ask) => Promise<T>, options: ReadOptions): Promise<Outcome<T>> {
    const { signal, deadlineMs } = options;
    if (this.#closed) return Promise.resolve(failureOf('unavailable', 'the history is being closed'));
    if (signal.aborted) return Promise.resolve(failureOf('aborted', 'the client has disconnected'));
    const job = this.#waiting.get(key) ?? this.#begin(key, work);
    if (job === undefined) return Promise.resolve(failureOf('busy', tooMany));
    job.clients += 1;
    return new Promise((resolve, reject) => {
      const leave = (code: 'deadline' | 'aborted', message: string): void => {
        settled();
        resolve(failureOf(code, message));
        job.clients -= 1;
        if (job.clients > 0) return;
        this.#leaveQueue(job);
        job.given.abort();
      };
      const gone = (): void => leave('aborted', 'the client is gone');
      const timer = setTimeout(
        () => leave('deadline', `no answer from the history within ${String(deadlineMs)} ms`),
        deadlineMs,
      );
      const settled = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', gone);
      };
      signal.addEventListener('abort', gone, { once: true });
      job.settled.finally(settled).then((outcome) => resolve(outcome as Outcome<T>), reject);
    });
  }

  /** Refuses new reads and closes idle connections; busy ones close when they are done. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all(this.#idle.map((slot) => dismiss(slot)));
  }

  /** Starts a read, or puts it in the queue; undefined when that is full. */
  #begin(key: string, work: Work): Job | undefined {
    const slot = this.#idle.pop();
    if (slot === undefined && this.#waiting.size >= maxWaiting) return undefined;
    let settle: Job['settle'] = () => undefined;
    const settled = new Promise<Outcome<unknown>>((resolve) => (settle = resolve));
    const job: Job = {
      key,
      work,
      given: new AbortController(),
      settled,
      settle,
      clients: 0,
      overdue: undefined,
    };
    if (slot !== undefined) settle(this.#run(slot, job));
    else {
      this.#waiting.set(key, job);
      job.overdue = setTimeout(() => {
        this.#leaveQueue(job);
        settle(failureOf('busy', tooMany));
      }, this.#maxWaitMs);
    }
    return job;
  }

  async #run(slot: Slot, { work, given: { signal } }: Job): Promise<Outcome<unknown>> {
    let stopInterrupting: () => void = () => undefined;
    const stop = (): void => {
      if (slot.connection !== undefined) stopInterrupting = slot.connection.interrupt();
    };
    signal.addEventListener('abort', stop, { once: true });
    try {
      const connection = await this.#connected(slot);
      const value = await work((sql, params) => {
        signal.throwIfAborted();
        return connection.all(sql, params);
      });
      return { ok: true, value };
    } catch (error) {
      if (signal.aborted) return failureOf('aborted', 'the client has disconnected');
      if (!isOutside(error)) throw error;
      // After any error the next read opens the file again.
      await dismiss(slot);
      return failureOf('unavailable', `${this.#path}: ${error.message}`);
    } finally {
      stopInterrupting();
      signal.removeEventListener('abort', stop);
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
    const [next] = this.#waiting.values();
    if (next === undefined) this.#idle.push(slot);
    else {
      this.#leaveQueue(next);
      next.settle(this.#run(slot, next));
    }
  }

  #leaveQueue(job: Job): void {
    clearTimeout(job.overdue);
    if (this.#waiting.get(job.key) === job) this.#waiting.delete(job.key);
  }
}

const tooMany = 'too many history queries at once; try again in a moment';

async function dismiss(slot: Slot): Promise<void> {
  const { connection } = slot;
  slot.connection = undefined;
  await connection?.close();
}

/** True for an error from outside, by its code; SQLITE_ERROR is a missing table of a database under creation, or a bug in SQL. */
function isOutside(error: unknown): error is Error {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return false;
  return /^(SQLITE_|E[A-Z]+$)/.test(error.code);
}

function failureOf(code: keyof typeof readFailure, message: string): Outcome<never> {
  return { ok: false, error: { code: readFailure[code], message } };
}
