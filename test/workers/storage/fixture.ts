// A database in its own directory, with a fake clock and a log that the test can read.
import { mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventType } from '../../../shared/domain/status/events.js';
import { metrics } from '../../../shared/domain/status/metrics.js';
import type { LogRecord } from '../../../shared/domain/status/log-record.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { SampleRecord } from '../../../shared/protocol/storage.js';
import type { Clock } from '../../../shared/runtime/clock.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import type { Database } from '../../../workers/storage/database.js';
import { insertEvent } from '../../../workers/storage/events.js';
import { Store } from '../../../workers/storage/store.js';

interface GivenEvent {
  readonly at: number;
  readonly source?: string;
  readonly type?: EventType;
  readonly detail?: string;
}

export class Bench {
  /** Contains `directory`, which storage creates if only that is missing. */
  readonly parent = mkdtempSync(join(tmpdir(), 'ridethrough-storage-'));
  readonly directory = join(this.parent, 'lib');
  readonly path = join(this.directory, 'ridethrough.db');
  readonly log: LogRecord[] = [];
  /** The reported codes of the store, 'OK' while usable. */
  readonly told: string[] = [];
  nowMs = 0;
  wall = 1_700_000_000;
  store: Store;

  constructor() {
    mkdirSync(this.directory);
    this.store = this.#open();
  }

  readonly clock: Clock = { monotonicMs: () => this.nowMs, wallSeconds: () => this.wall };

  /** Work that must succeed. */
  async run<T>(work: (db: Database) => Promise<T>): Promise<T> {
    const outcome = await this.store.perform(work);
    if (!outcome.ok) throw new Error(`${outcome.error.code}: ${outcome.error.message}`);
    return outcome.value;
  }

  /** Stores events: by default of the UPS of the API's fixture, that it is on battery. */
  record(...given: readonly GivenEvent[]): Promise<void> {
    return this.run((db) =>
      db.transaction(async () => {
        for (const {
          at,
          source = 'office-127.0.0.1',
          type = 'ON_BATTERY',
          detail = 'power is gone',
        } of given)
          await insertEvent(db, { at, source, type, detail });
      }),
    );
  }

  /** Work for any database; its code, or 'OK'. */
  async probe(): Promise<string> {
    return codeOf(
      await this.store.perform((db) => db.exec("UPDATE marks SET value = value WHERE name = ''")),
    );
  }

  async reopen(): Promise<void> {
    await this.store.close();
    this.store = this.#open();
  }

  async end(): Promise<void> {
    await this.store.close();
    // An abandoned reader may still be closing its side files, which a synchronous removal would keep it from.
    await rm(this.parent, { recursive: true, maxRetries: 5 });
  }

  #open(): Store {
    return new Store({
      path: this.path,
      clock: this.clock,
      log: loggerTo('storage', this.clock, (record) => this.log.push(record)),
      changed: (fault) => this.told.push(fault?.code ?? 'OK'),
    });
  }
}

export function codeOf(outcome: Outcome<unknown>): string {
  return outcome.ok ? 'OK' : outcome.error.code;
}

/** A sample with the given values; the others are missing. */
export function sampleOf(
  groupId: string,
  at: number,
  given: Readonly<Partial<Record<(typeof metrics)[number]['name'], number>>>,
): SampleRecord {
  return { groupId, at, values: metrics.map(({ name }) => given[name] ?? null) };
}
