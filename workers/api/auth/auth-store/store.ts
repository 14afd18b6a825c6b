// The reader of the authentication database for the API. It reads for every query, so that a new or deleted user takes effect
// immediately. Never creates the file; a missing file has no user.
import { createHash, timingSafeEqual } from 'node:crypto';
import { AuthConnection, StoreUnavailable, identityOf } from './connection.js';
import { guardSideFiles } from './side-files.js';
import { SerialQueue } from './serial-queue.js';

export interface StoredUser {
  readonly name: string;
  readonly hash: Buffer;
  /** Changes with every password. */
  readonly stamp: string;
}

/** Every query rejects with StoreUnavailable when the file exists and cannot be read. */
export interface AuthStore {
  hasUsers(): Promise<boolean>;
  user(name: string): Promise<StoredUser | null>;
  apiKey(key: string): Promise<string | null>;
}

/** Just above the busy timeout: a longer wait means a file system that does not answer. */
const answerMs = 2_500;
/** The form of an API key; nothing else is looked up (specification/security.md#api-keys). */
const keyForm = /^rt_[A-Za-z0-9_-]{43}$/;

export class AuthFile implements AuthStore {
  readonly #path: string;
  readonly #reserve: boolean;
  readonly #queue: SerialQueue;
  #connection: AuthConnection | undefined;
  /** The waiting query for users: callers before its start share its answer. */
  #hasUsers: Promise<boolean> | undefined;

  /** `looksOnly`: for a process that does not own the database; it creates no side files. */
  constructor(path: string, { deadlineMs = answerMs, looksOnly: readOnly = false } = {}) {
    this.#path = path;
    this.#reserve = !readOnly;
    const seconds = String(deadlineMs / 1000);
    this.#queue = new SerialQueue(
      deadlineMs,
      () => new StoreUnavailable(`${path} does not answer within ${seconds} s`),
    );
  }

  hasUsers(): Promise<boolean> {
    if (this.#hasUsers !== undefined) return this.#hasUsers;
    const answer = this.#queue.take(() => {
      this.#hasUsers = undefined;
      return this.#answer(false, async (db) => (await db.all('SELECT 1 FROM users LIMIT 1')).length > 0);
    });
    this.#hasUsers = answer;
    // Timed out before its turn: the next caller queries again.
    const forget = (): void => {
      if (this.#hasUsers === answer) this.#hasUsers = undefined;
    };
    answer.then(forget, forget);
    return answer;
  }

  user(name: string): Promise<StoredUser | null> {
    return this.#ask(null, async (db) => {
      const [row] = await db.all('SELECT name, hash, stamp FROM users WHERE name = ?', name);
      return (row as StoredUser | undefined) ?? null;
    });
  }

  async apiKey(key: string): Promise<string | null> {
    if (!keyForm.test(key)) return null;
    const digest = createHash('sha256').update(key).digest();
    return this.#ask(null, async (db) => {
      const [row] = await db.all('SELECT label, digest FROM api_keys WHERE digest = ?', digest);
      const found = row as { readonly label: string; readonly digest: Buffer } | undefined;
      return found !== undefined && timingSafeEqual(found.digest, digest) ? found.label : null;
    });
  }

  /** Resolves when the file is closed, or does not answer. */
  async close(): Promise<void> {
    try {
      await this.#queue.take(() => this.#dismiss());
    } catch (error) {
      // Only the end of the process closes it then.
      if (!(error instanceof StoreUnavailable)) throw error;
    }
  }

  #ask<T>(absent: T, query: (db: AuthConnection) => Promise<T>): Promise<T> {
    return this.#queue.take(() => this.#answer(absent, query));
  }

  async #answer<T>(absent: T, query: (db: AuthConnection) => Promise<T>): Promise<T> {
    try {
      const identity = await identityOf(this.#path);
      if (identity !== this.#connection?.identity) await this.#dismiss();
      if (identity === null) return absent;
      this.#connection ??= await opened(this.#path, this.#reserve);
      return await query(this.#connection);
    } catch (error) {
      // After any error the next query opens the file again.
      await this.#dismiss();
      throw error;
    }
  }

  async #dismiss(): Promise<void> {
    const old = this.#connection;
    this.#connection = undefined;
    await old?.close();
  }
}

async function opened(path: string, reserve: boolean): Promise<AuthConnection> {
  await guardSideFiles(path, { reserve });
  const connection = await AuthConnection.open(path);
  try {
    await connection.check();
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}
