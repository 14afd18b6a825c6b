// One connection to the database, with promises. It knows no tables. Its owner never interleaves work on it.
import { isMainThread } from 'node:worker_threads';
import sqlite3 from 'sqlite3';

export type SqlValue = number | string | null | Buffer;

/** How long a statement waits for the lock of another process; a working process holds it for less. */
const busyTimeoutMs = 2000;

export class Database {
  readonly #db: sqlite3.Database;

  private constructor(db: sqlite3.Database) {
    this.#db = db;
  }

  /** Opens a file that exists, for reading and writing. Rejects with an error whose `code` is SQLite's. */
  static open(path: string): Promise<Database> {
    if (!isMainThread) throw new Error('sqlite3 in a thread crashes the process when the thread ends');
    return new Promise((resolve, reject) => {
      const db = new sqlite3.Database(path, sqlite3.OPEN_READWRITE, (error) => {
        if (error !== null) {
          reject(error);
          return;
        }
        db.configure('busyTimeout', busyTimeoutMs);
        resolve(new Database(db));
      });
    });
  }

  /** Runs any number of statements; results are dropped. */
  exec(sql: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#db.exec(sql, (error) => settle(error, resolve, reject));
    });
  }

  /** Runs one statement; resolves with the number of rows it changed. */
  run(sql: string, ...params: readonly SqlValue[]): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#db.run(sql, params, function (error) {
        settle(error, () => resolve(this.changes), reject);
      });
    });
  }

  /** All rows of one statement. The caller gives their type, from its SQL. */
  all<Row>(sql: string, ...params: readonly SqlValue[]): Promise<readonly Row[]> {
    return new Promise((resolve, reject) => {
      this.#db.all<Row>(sql, params, (error, rows) => settle(error, () => resolve(rows), reject));
    });
  }

  /** The first column `value` of the first row; null without rows. */
  async value(sql: string, ...params: readonly SqlValue[]): Promise<SqlValue> {
    const [row] = await this.all<{ readonly value: SqlValue }>(sql, ...params);
    return row?.value ?? null;
  }

  /** A number that must exist. */
  async number(sql: string, ...params: readonly SqlValue[]): Promise<number> {
    const value = await this.value(sql, ...params);
    if (typeof value !== 'number') throw new Error(`no number from ${sql}`);
    return value;
  }

  /** Runs `work` in a transaction. It takes the lock at the start, so that no later statement fails without it. */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    await this.exec('BEGIN IMMEDIATE');
    try {
      const result = await work();
      await this.exec('COMMIT');
      return result;
    } catch (error) {
      await this.#rollback();
      throw error;
    }
  }

  close(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#db.close((error) => settle(error, resolve, reject));
    });
  }

  /** SQLite rolls back itself after most errors; a second rollback is then no error. */
  #rollback(): Promise<void> {
    return new Promise((resolve) => {
      this.#db.exec('ROLLBACK', () => resolve());
    });
  }
}

function settle(error: Error | null, resolve: () => void, reject: (error: Error) => void): void {
  if (error === null) resolve();
  else reject(error);
}
