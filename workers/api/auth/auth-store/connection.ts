// One connection to auth.db, with promises and with every expected failure as StoreUnavailable. It opens what is there
// and never makes a file.
import { constants, lstat } from 'node:fs/promises';
import sqlite3 from 'sqlite3';
import { authApplicationId, authSchemaVersion } from './schema.js';

export type SqlValue = number | string | Buffer | null;

/** The command line and the API share the file; a working writer holds the lock for less (specification/storage.md#auth-database). */
const busyTimeoutMs = 2_000;

/** The file is there and cannot be used; the message says why and, where one can, what to do. */
export class StoreUnavailable extends Error {}

export class AuthConnection {
  readonly #db: sqlite3.Database;
  readonly #path: string;
  /** Device and inode of the file that is open. */
  readonly identity: string;

  private constructor(db: sqlite3.Database, path: string, identity: string) {
    this.#db = db;
    this.#path = path;
    this.identity = identity;
  }

  /** Rejects with StoreUnavailable. `ownPath`: where the file will lie, for messages about one that is being made. */
  static async open(path: string): Promise<AuthConnection> {
    const identity = await identityOf(path);
    if (identity === null) throw new StoreUnavailable(`${path} is not there`);
    const db = await new Promise<sqlite3.Database>((resolve, reject) => {
      const opening = new sqlite3.Database(path, sqlite3.OPEN_READWRITE, (error) => {
        if (error === null) resolve(opening);
        else reject(unavailable(path, error));
      });
    });
    db.configure('busyTimeout', busyTimeoutMs);
    // One statement at a time: those that wait for a lock must not hold every thread of the pool.
    db.serialize();
    const connection = new AuthConnection(db, path, identity);
    try {
      // Nothing in the schema of a file that somebody else made may run code; nothing of a deleted hash stays in it.
      // TRUNCATE: the journal is emptied and never removed, so that nobody can lay another one (side-files.ts).
      await connection.exec(
        'PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA secure_delete = ON; PRAGMA journal_mode = TRUNCATE;',
      );
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Rejects with StoreUnavailable when the file holds anything but this build's tables. */
  async check(): Promise<void> {
    const [row] = await this.all(
      'SELECT a.application_id AS id, v.user_version AS version FROM pragma_application_id a, pragma_user_version v',
    );
    const { id, version } = row as { readonly id: number; readonly version: number };
    if (id !== authApplicationId)
      throw new StoreUnavailable(
        `${this.#path} is no authentication database of ridethrough; move it away, or set api.auth.db_path`,
      );
    if (version !== authSchemaVersion)
      throw new StoreUnavailable(
        `${this.#path} is of another version of ridethrough (schema ${String(version)}, this one reads ${String(authSchemaVersion)})`,
      );
  }

  /** All rows of one statement. */
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
    // Every statement has ended and each was a transaction of its own: an error here has no consequence.
    return new Promise((resolve) => this.#db.close(() => resolve()));
  }
}

/**
 * Device and inode of the file at `path`, null when there is none. Rejects with StoreUnavailable when what lies there
 * could be somebody else's: a link, another user's file, a file everybody may write.
 */
export async function identityOf(path: string): Promise<string | null> {
  try {
    const found = await lstat(path, { bigint: true });
    if (!found.isFile()) throw new StoreUnavailable(`${path} is no regular file`);
    const self = BigInt(process.geteuid?.() ?? 0);
    if (found.uid !== self && found.uid !== 0n)
      throw new StoreUnavailable(
        `${path} belongs to user ${String(found.uid)} and is used by user ${String(self)}; whoever made it could let himself in. Check it, then: chown ${String(self)} ${path}`,
      );
    if ((found.mode & BigInt(constants.S_IWOTH)) !== 0n)
      throw new StoreUnavailable(`every user may write ${path}; check it, then: chmod 640 ${path}`);
    return `${String(found.dev)}:${String(found.ino)}`;
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    // Without its directory there is no file either.
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new StoreUnavailable(`${path} cannot be looked at: ${message}`);
  }
}

function unavailable(path: string, error: Error): StoreUnavailable {
  return new StoreUnavailable(`${path} cannot be used: ${error.message}`);
}
