// One connection to the database, with promises. It knows nothing of tables; work on it is never interleaved by its owner.
import { isMainThread } from 'node:worker_threads';
import sqlite3 from 'sqlite3';

/** What a bound parameter and a column may be. */
export type SqlValue = number | string | null;

/** How long a statement waits for a lock of another process before it fails; no honest one holds the lock for longer. */
const busyTimeoutMs = 2000;

export class Database {
  readonly #db: sqlite3.Database;

  private constructor(db: sqlite3.Database) {
    this.#db = db;
  }

  /** Opens a file that exists, for reading and writing. Rejects with an error whose `code` is SQLite's. */
  static open(path: string): Promise<Database> {
    if (!isMainThread)
      throw new Error('sqlite3 in a thread takes the whole process along when the thread ends');
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

  /** All rows of one statement. The shape is the caller's knowledge of its own SQL. */
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

  /** A number that must be there. */
  async number(sql: string, ...params: readonly SqlValue[]): Promise<number> {
    const value = await this.value(sql, ...params);
    if (typeof value !== 'number') throw new Error(`no number from ${sql}`);
    return value;
  }

  /** All of `work` or nothing. The lock is taken at once, so that nothing fails half-way for want of it. */
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

  /** SQLite has rolled back by itself after most errors; then there is nothing left to roll back, which is no error. */
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
