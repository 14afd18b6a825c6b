// One connection to auth.db; every expected failure is StoreUnavailable. It opens an existing file and never creates one.
import { constants, lstat } from 'node:fs/promises';
import type sqlite3 from 'sqlite3';
import {
  authApplicationId,
  authMigration,
  authSchemaVersion,
  authViewsOfEarlier,
  earlierAuthSchemaVersion,
} from './schema.js';

export type SqlValue = number | string | Buffer | null;

/** A working writer of the shared file holds the lock for less (specification/storage.md#auth-database). */
const busyTimeoutMs = 2_000;

/** The file exists and cannot be used; the message has the reason and, where possible, the remedy. */
export class StoreUnavailable extends Error {}

/**
 * What happens to a file of the earlier version. `required`: it is migrated. `attempted`: it is read as if it were migrated
 * where it cannot be written. `none`: it is read like that and stays as it is.
 */
export type Migration = 'required' | 'attempted' | 'none';

export class AuthConnection {
  readonly #db: sqlite3.Database;
  readonly #path: string;
  /** Device and inode of the open file. */
  readonly identity: string;

  private constructor(db: sqlite3.Database, path: string, identity: string) {
    this.#db = db;
    this.#path = path;
    this.identity = identity;
  }

  /** Rejects with StoreUnavailable. */
  static async open(path: string): Promise<AuthConnection> {
    const identity = await identityOf(path);
    if (identity === null) throw new StoreUnavailable(`${path} does not exist`);
    // Loaded with the first file: most daemons have no user.
    const { default: sqlite } = await import('sqlite3');
    const db = await new Promise<sqlite3.Database>((resolve, reject) => {
      const opening = new sqlite.Database(path, sqlite.OPEN_READWRITE, (error) => {
        if (error === null) resolve(opening);
        else reject(unavailable(path, error));
      });
    });
    db.configure('busyTimeout', busyTimeoutMs);
    // One statement at a time: statements that wait for a lock must not block every thread of the pool.
    db.serialize();
    const connection = new AuthConnection(db, path, identity);
    try {
      // The schema of a foreign file must not run code. A deleted hash must not stay in the file. TRUNCATE empties the journal
      // and never removes it, so that no other user can replace it (side-files.ts).
      await connection.exec(
        'PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA secure_delete = ON; PRAGMA journal_mode = TRUNCATE;',
      );
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Rejects with StoreUnavailable unless the file has the tables of this version, or gets them by a migration. */
  async check(migration: Migration): Promise<void> {
    const { id, version } = await this.#header();
    if (id !== authApplicationId)
      throw new StoreUnavailable(
        `${this.#path} is not an authentication database of ridethrough; move it, or set api.auth.db_path`,
      );
    if (version === earlierAuthSchemaVersion) await this.#migrate(migration);
    else if (version !== authSchemaVersion)
      throw new StoreUnavailable(
        `${this.#path} was written by another version of ridethrough (schema ${String(version)}; this version reads ${String(authSchemaVersion)})`,
      );
  }

  async #header(): Promise<{ readonly id: number; readonly version: number }> {
    const [row] = await this.all(
      'SELECT a.application_id AS id, v.user_version AS version FROM pragma_application_id a, pragma_user_version v',
    );
    return row as { readonly id: number; readonly version: number };
  }

  async #migrate(migration: Migration): Promise<void> {
    try {
      if (migration === 'none') throw new StoreUnavailable(`${this.#path} is of an earlier version`);
      await this.exec(`BEGIN IMMEDIATE; ${authMigration} COMMIT;`);
    } catch (error) {
      // Fails where BEGIN has failed.
      await this.exec('ROLLBACK').catch(() => undefined);
      // Another process may have migrated it before this one had the lock.
      if ((await this.#header()).version === authSchemaVersion) return;
      if (migration === 'required') throw error;
      await this.exec(authViewsOfEarlier);
    }
  }

  all(sql: string, ...params: readonly SqlValue[]): Promise<readonly unknown[]> {
    return new Promise((resolve, reject) => {
      this.#db.all<unknown>(sql, params, (error, rows) => {
        if (error === null) resolve(rows);
        else reject(unavailable(this.#path, error));
      });
    });
  }

  /** Runs one statement; resolves with the number of rows it changed. */
  run(sql: string, ...params: readonly SqlValue[]): Promise<number> {
    const path = this.#path;
    return new Promise((resolve, reject) => {
      this.#db.run(sql, params, function (error) {
        if (error === null) resolve(this.changes);
        else reject(unavailable(path, error));
      });
    });
  }

  /** Runs any number of statements; results are dropped. */
  exec(sql: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#db.exec(sql, (error) => {
        if (error === null) resolve();
        else reject(unavailable(this.#path, error));
      });
    });
  }

  close(): Promise<void> {
    // Every statement has ended and was its own transaction: an error here has no effect.
    return new Promise((resolve) => this.#db.close(() => resolve()));
  }
}

/**
 * Device and inode of the file at `path`, null when there is none. Rejects with StoreUnavailable when another user could
 * control it: a link, a file of another user, a world-writable file.
 */
export async function identityOf(path: string): Promise<string | null> {
  try {
    const found = await lstat(path, { bigint: true });
    if (!found.isFile()) throw new StoreUnavailable(`${path} is not a regular file`);
    const self = BigInt(process.geteuid?.() ?? 0);
    if (found.uid !== self && found.uid !== 0n)
      throw new StoreUnavailable(
        `${path} belongs to user ${String(found.uid)} and is used by user ${String(self)}; its owner could add users to it. Check it, then: chown ${String(self)} ${path}`,
      );
    if ((found.mode & BigInt(constants.S_IWOTH)) !== 0n)
      throw new StoreUnavailable(`every user may write ${path}; check it, then: chmod 640 ${path}`);
    return `${String(found.dev)}:${String(found.ino)}`;
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    // Without the directory there is no file.
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new StoreUnavailable(`${path} cannot be examined: ${message}`);
  }
}

function unavailable(path: string, error: Error): StoreUnavailable {
  return new StoreUnavailable(`${path} cannot be used: ${error.message}`);
}
