// One read-only connection to the history database. It never writes, waits only briefly for a lock, and can be interrupted.
import { stat } from 'node:fs/promises';
import { isMainThread } from 'node:worker_threads';
import type sqlite3 from 'sqlite3';
import { schemaVersion } from '../../../shared/protocol/storage.js';

export type SqlValue = number | string | null;

/** Readers of a write-ahead log rarely wait for a lock; 250 ms is long for a page. */
const busyTimeoutMs = 250;
/** An interrupt stops only a running statement, so it is repeated until the statement has ended. */
const interruptEveryMs = 20;

/** A page uses a dozen statements of some kB each; rarer ones are prepared again. */
const maxPrepared = 32;

/** `temp_store`: a reader must not need a writable directory. */
const settings = 'PRAGMA query_only = ON; PRAGMA cache_size = -8192; PRAGMA temp_store = MEMORY;';

export class ReadConnection {
  readonly #db: sqlite3.Database;
  readonly #identity: string;
  /** By their text, the least recently used first. Preparing a statement takes SQLite longer than running it. */
  readonly #prepared = new Map<string, sqlite3.Statement>();

  private constructor(db: sqlite3.Database, identity: string) {
    this.#db = db;
    this.#identity = identity;
  }

  /** Rejects with an error of SQLite or of the file system. */
  static async open(path: string): Promise<ReadConnection> {
    if (!isMainThread) throw new Error('sqlite3 in a thread crashes the process when the thread ends');
    const identity = await identityOf(path);
    // Loaded with the first read: 20 ms and 2 MB of a start.
    const { default: sqlite } = await import('sqlite3');
    const db = await new Promise<sqlite3.Database>((resolve, reject) => {
      const opening = new sqlite.Database(path, sqlite.OPEN_READONLY, (error) => {
        if (error === null) resolve(opening);
        else reject(error);
      });
    });
    db.configure('busyTimeout', busyTimeoutMs);
    const connection = new ReadConnection(db, identity);
    try {
      await connection.#prepare();
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Whether the path still names the open file: storage may move a damaged one aside. */
  async isCurrent(path: string): Promise<boolean> {
    return (await identityOf(path)) === this.#identity;
  }

  /** All rows of one statement; one at a time. `params` by name: `$ups`. */
  async all(sql: string, params: Readonly<Record<string, SqlValue>>): Promise<readonly unknown[]> {
    const statement = await this.#statement(sql);
    return new Promise((resolve, reject) => {
      statement.all<unknown>(params, (error, rows) => {
        if (error === null) resolve(rows);
        else reject(error);
      });
    });
  }

  /** A statement holds no lock and no snapshot between two uses: it has always run to its end or to an error. */
  async #statement(sql: string): Promise<sqlite3.Statement> {
    const cached = this.#prepared.get(sql);
    this.#prepared.delete(sql);
    const statement = cached ?? (await this.#checkSchema(sql));
    this.#prepared.set(sql, statement);
    for (const [oldest, unused] of this.#prepared) {
      if (this.#prepared.size <= maxPrepared) break;
      this.#prepared.delete(oldest);
      unused.finalize();
    }
    return statement;
  }

  #checkSchema(sql: string): Promise<sqlite3.Statement> {
    return new Promise((resolve, reject) => {
      const statement = this.#db.prepare(sql, (error: Error | null) => {
        if (error === null) resolve(statement);
        else reject(error);
      });
    });
  }

  /** Interrupts the running statement, which then rejects with SQLITE_INTERRUPT; call the result when it has ended. */
  interrupt(): () => void {
    this.#db.interrupt();
    const again = setInterval(() => this.#db.interrupt(), interruptEveryMs);
    return () => clearInterval(again);
  }

  async #prepare(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#db.exec(settings, (error) => (error === null ? resolve() : reject(error)));
    });
    const [row] = await this.all('SELECT user_version AS version FROM pragma_user_version', {});
    const { version } = row as { readonly version: number };
    if (version !== schemaVersion) throw new SchemaError(version);
  }

  close(): Promise<void> {
    // SQLite closes no connection that still has a statement.
    for (const statement of this.#prepared.values()) statement.finalize();
    this.#prepared.clear();
    // Nothing runs on it and nothing was written: an error here has no effect.
    return new Promise((resolve) => this.#db.close(() => resolve()));
  }
}

/** The schema of the file is not, or not yet, the one of this version. */
class SchemaError extends Error {
  /** As the codes of the file system: the cause is outside. */
  readonly code = 'ESCHEMA';

  constructor(version: number) {
    super(
      version > schemaVersion
        ? `a newer version of ridethrough wrote it (schema version ${String(version)}); this version reads schema version ${String(schemaVersion)}`
        : 'the storage worker has not prepared it yet',
    );
  }
}

async function identityOf(path: string): Promise<string> {
  const { dev, ino } = await stat(path, { bigint: true });
  return `${String(dev)}:${String(ino)}`;
}
