// The schema as a list of migrations. A released step is never changed; a new one is added.
import { metrics } from '../../shared/domain/status/metrics.js';
import { schemaVersion, storageFailure } from '../../shared/protocol/storage.js';
import { batteryTables } from './battery/table.js';
import { bootTable, eventClocks } from './boots.js';
import type { Database } from './database.js';
import { energyTables } from './energy/table.js';
import { FaultError } from './faults.js';
import { coverageTable } from './coverage/table.js';
import { importedOutages } from './import/table.js';
import { notificationPages, notificationTables } from './notification-tables.js';
import { outageClocks, outageTables } from './outages/table.js';
import { serverTimeTable } from './server-times.js';
import { selfTestTables } from './self-tests/table.js';

/**
 * Samples are clustered by UPS and time, so that a chart reads neighbouring pages. `ts` is in ms: two polls may fall into one
 * second. Roll-ups are clustered by UPS, metric and time (Unix seconds of the start of the bucket): a chart shows one metric
 * over years. They keep exact sums, so that means of means are weighted by count.
 */
const rollup = (table: string): string => `
  CREATE TABLE ${table} (
    ups INTEGER NOT NULL REFERENCES ups (key),
    metric INTEGER NOT NULL,
    ts INTEGER NOT NULL,
    n INTEGER NOT NULL,
    total INTEGER NOT NULL,
    low INTEGER NOT NULL,
    high INTEGER NOT NULL,
    PRIMARY KEY (ups, metric, ts)
  ) STRICT, WITHOUT ROWID;`;

const first = `
  CREATE TABLE ups (key INTEGER PRIMARY KEY, group_id TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE samples (
    ups INTEGER NOT NULL REFERENCES ups (key),
    ts INTEGER NOT NULL,
    ${metrics.map(({ name }) => `${name} INTEGER`).join(', ')},
    PRIMARY KEY (ups, ts)
  ) STRICT, WITHOUT ROWID;
  ${rollup('five_minute')}
  ${rollup('hourly')}
  -- five_minute_until, hourly_until: buckets that start before are rolled up, Unix seconds.
  -- audit_until: audit rows older than this have outlived the retention, Unix seconds.
  CREATE TABLE marks (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  INSERT INTO marks VALUES ('five_minute_until', 0), ('hourly_until', 0), ('audit_until', 0);

  -- One row per start of the daemon. last_seq: its events up to here are stored, also those deleted since.
  CREATE TABLE runs (
    key INTEGER PRIMARY KEY,
    run TEXT NOT NULL UNIQUE,
    last_seq INTEGER NOT NULL DEFAULT 0,
    boot_id TEXT,
    version TEXT,
    started INTEGER,
    stopped INTEGER,
    lifecycle TEXT,
    lifecycle_event INTEGER,
    lifecycle_detail TEXT
  ) STRICT;

  -- AUTOINCREMENT: an id is never used again, also not after its row was deleted.
  CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    ts INTEGER NOT NULL,
    source TEXT NOT NULL,
    category TEXT NOT NULL,
    type TEXT NOT NULL,
    detail TEXT NOT NULL,
    run INTEGER REFERENCES runs (key),
    seq INTEGER,
    UNIQUE (run, seq)
  ) STRICT;
  CREATE INDEX events_in_order ON events (category, ts, source, id);
  CREATE TRIGGER events_never_change BEFORE UPDATE ON events
    BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
  CREATE TRIGGER audit_rows_stay BEFORE DELETE ON events
    WHEN OLD.category = 'audit' AND OLD.ts >= (SELECT value FROM marks WHERE name = 'audit_until')
    BEGIN SELECT RAISE(ABORT, 'audit rows cannot be deleted before their time'); END;
`;

/** The summary of a shutdown under way in that run. */
const openSequence = 'ALTER TABLE runs ADD COLUMN sequence TEXT';

/** Remote servers with an open FAILED period. `place` is the machine: another machine of the same name has not failed. */
const failedServers = `
  CREATE TABLE failed_servers (
    server TEXT PRIMARY KEY,
    place TEXT NOT NULL,
    told INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/** Whether the failure notification was sent. */
const failedServersNotified = 'ALTER TABLE failed_servers RENAME COLUMN told TO notified';

/**
 * Samples are flushed into a table in the order of time, whose new rows share a few pages, and moved to `samples` some
 * minutes at a time (decision 0030). The ends of the roll-ups are kept for each UPS: buckets that start before are rolled
 * up, Unix seconds.
 */
const recentSamples = `
  CREATE TABLE recent_samples (
    ups INTEGER NOT NULL REFERENCES ups (key),
    ts INTEGER NOT NULL,
    ${metrics.map(({ name }) => `${name} INTEGER`).join(', ')},
    PRIMARY KEY (ts, ups)
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE ups ADD COLUMN five_minute_until INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE ups ADD COLUMN hourly_until INTEGER NOT NULL DEFAULT 0;
  UPDATE ups SET five_minute_until = (SELECT value FROM marks WHERE name = 'five_minute_until'),
    hourly_until = (SELECT value FROM marks WHERE name = 'hourly_until');
  DELETE FROM marks WHERE name IN ('five_minute_until', 'hourly_until');
`;

/** Step n leads to version n + 1; the last one to `schemaVersion`. */
export const migrations: readonly string[] = [
  first,
  notificationTables,
  openSequence,
  failedServers,
  recentSamples,
  energyTables,
  outageTables,
  selfTestTables,
  `${notificationPages}; ${coverageTable}`,
  importedOutages,
  batteryTables,
  serverTimeTable,
  `${outageClocks}; ${bootTable}`,
  eventClocks,
  failedServersNotified,
];

/** The version of the schema, 0 for an empty file. Throws the fault NEWER_SCHEMA for a schema of a newer program. */
export async function foundVersion(db: Database): Promise<number> {
  const found = await db.number('SELECT user_version AS value FROM pragma_user_version');
  if (found > schemaVersion)
    throw new FaultError(
      storageFailure.newerSchema,
      `its schema version is ${String(found)}; this version reads up to ${String(schemaVersion)}`,
    );
  return found;
}

/** Runs the missing steps, each in a transaction with its number. */
export async function migrate(db: Database): Promise<void> {
  const found = await foundVersion(db);
  for (const [index, sql] of migrations.entries()) {
    if (index < found) continue;
    await db.transaction(() => db.exec(`${sql}; PRAGMA user_version = ${String(index + 1)};`));
  }
}
