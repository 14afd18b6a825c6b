// The reader of the authentication database for the API. It reads for every query, so that a new or deleted user takes effect
// immediately. Never creates the file; a missing file has no user. Writes one thing: when a key was last used.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Role } from '../../../../shared/domain/status/role.js';
import { AuthConnection, StoreUnavailable, identityOf } from './connection.js';
import { guardSideFiles } from './side-files.js';
import { SerialQueue } from './serial-queue.js';

export interface StoredUser {
  readonly name: string;
  readonly hash: Buffer;
  /** Changes with every password. */
  readonly stamp: string;
  readonly role: Role;
}

export interface StoredKey {
  readonly label: string;
  readonly role: Role;
  readonly expired: boolean;
}

/** Every query rejects with StoreUnavailable when the file exists and cannot be read. */
export interface AuthStore {
  hasUsers(): Promise<boolean>;
  user(name: string): Promise<StoredUser | null>;
  /** `nowSeconds`: Unix time. Records the use of a key that has not expired. */
  apiKey(key: string, nowSeconds: number): Promise<StoredKey | null>;
}

/** Just above the busy timeout: a longer wait means a file system that does not answer. */
const answerMs = 2_500;
/** The form of an API key; nothing else is looked up (specification/security.md#api-keys). */
const keyForm = /^rt_[A-Za-z0-9_-]{43}$/;

/** A scraper uses its key every few seconds: the use is written once in this time, and at the first use of this process. */
const useIntervalSeconds = 600;
/** A clock that is behind the last use by more than this was set back, and an expired key must not become valid by that. */
const clockToleranceSeconds = 3_600;

interface KeyRow {
  readonly label: string;
  readonly digest: Buffer;
  readonly role: Role;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly usedAt: number | null;
}

export class AuthFile implements AuthStore {
  readonly #path: string;
  readonly #isOwner: boolean;
  /** By digest: when the last use was written, in Unix seconds. */
  readonly #usesWritten = new Map<string, number>();
  readonly #queue: SerialQueue;
  #connection: AuthConnection | undefined;
  /** The waiting query for users: callers before its start share its answer. */
  #hasUsers: Promise<boolean> | undefined;

  /** `looksOnly`: for a process that does not own the database; it creates no side files and migrates nothing. */
  constructor(path: string, { deadlineMs = answerMs, looksOnly = false } = {}) {
    this.#path = path;
    this.#isOwner = !looksOnly;
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
      const [row] = await db.all('SELECT name, hash, stamp, role FROM users WHERE name = ?', name);
      return (row as StoredUser | undefined) ?? null;
    });
  }

  async apiKey(key: string, nowSeconds: number): Promise<StoredKey | null> {
    if (!keyForm.test(key)) return null;
    const digest = createHash('sha256').update(key).digest();
    const found = await this.#ask(null, async (db) => {
      const [row] = await db.all(
        'SELECT label, digest, role, created_at AS createdAt, expires_at AS expiresAt, used_at AS usedAt FROM api_keys WHERE digest = ?',
        digest,
      );
      return (row as KeyRow | undefined) ?? null;
    });
    if (found === null || !timingSafeEqual(found.digest, digest)) return null;
    const { label, role } = found;
    const expired = hasExpired(found, nowSeconds);
    if (!expired) this.#recordUse(digest, Math.floor(nowSeconds));
    return { label, role, expired };
  }

  /** After the answer, which does not depend on it: a disk that takes nothing must not refuse a key. */
  #recordUse(digest: Buffer, nowSeconds: number): void {
    const name = digest.toString('hex');
    const written = this.#usesWritten.get(name);
    if (written !== undefined && Math.abs(nowSeconds - written) < useIntervalSeconds) return;
    this.#usesWritten.set(name, nowSeconds);
    const sql = 'UPDATE api_keys SET used_at = ? WHERE digest = ?';
    this.#ask(0, (db) => db.run(sql, nowSeconds, digest)).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) throw error;
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
      this.#connection ??= await openConnection(this.#path, this.#isOwner);
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

function hasExpired({ createdAt, expiresAt, usedAt }: KeyRow, nowSeconds: number): boolean {
  if (expiresAt === null) return false;
  return nowSeconds >= expiresAt || nowSeconds < (usedAt ?? createdAt) - clockToleranceSeconds;
}

async function openConnection(path: string, owner: boolean): Promise<AuthConnection> {
  await guardSideFiles(path, { reserve: owner });
  const connection = await AuthConnection.open(path);
  try {
    await connection.check(owner ? 'attempted' : 'none');
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}
