// Every step of the schema on a database of version 0.1.0 (test/fixtures/history/). A new step is tested without a change here;
// rows of its tables may be given in rows-N.sql, else each new table gets a row that fits its columns.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { schemaVersion } from '../../../shared/protocol/storage.js';
import { Database } from '../../../workers/storage/database.js';
import { migrations } from '../../../workers/storage/migrations.js';
import { openDatabase } from '../../../workers/storage/open-database.js';
import { fixtureFile } from '../../fixtures/history/fixture-file.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

const killedUpgrade = fileURLToPath(new URL('killed-upgrade.js', import.meta.url));

type Row = Readonly<Record<string, unknown>>;
/** The rows of each table, in the order of their text. */
type Content = ReadonlyMap<string, readonly Row[]>;

/** What a step takes away: columns of a table, or rows that it moves elsewhere. */
const moved: Readonly<Record<number, (table: string, row: Row) => boolean>> = {
  // The ends of the roll-ups are kept for each UPS (decision 0030).
  5: (table, row) => table === 'marks' && /^(five_minute|hourly)_until$/.test(String(row['name'])),
};

/** The columns to which a step gives another name. */
const renamed: Readonly<Record<number, (table: string, column: string) => string>> = {
  15: (table, column) => (table === 'failed_servers' && column === 'told' ? 'notified' : column),
};

function withNewNames(content: Content, version: number): Content {
  const nameOf = renamed[version] ?? ((_, column) => column);
  return new Map(
    [...content].map(([table, rows]) => [
      table,
      rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([column, value]) => [nameOf(table, column), value])),
      ),
    ]),
  );
}

async function tablesOf(db: Database): Promise<readonly string[]> {
  const rows = await db.all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_stat%' ORDER BY name",
  );
  return rows.map(({ name }) => name);
}

async function contentOf(db: Database): Promise<Content> {
  const content = new Map<string, readonly Row[]>();
  for (const table of await tablesOf(db)) {
    const rows = await db.all<Row>(`SELECT * FROM ${table}`);
    content.set(
      table,
      [...rows].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    );
  }
  return content;
}

/** The rows of before, as `after` has them: with the columns of before. */
function survivors(before: Content, after: Content): Content {
  return new Map(
    [...before].map(([table, rows]) => {
      const names = Object.keys(rows[0] ?? {});
      const now = (after.get(table) ?? []).map((row) =>
        Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name))),
      );
      return [table, now.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))];
    }),
  );
}

async function expectSound(db: Database): Promise<void> {
  expect(await db.value('SELECT integrity_check AS value FROM pragma_integrity_check')).to.equal('ok');
  expect(await db.all('PRAGMA foreign_key_check')).to.deep.equal([]);
}

/** A row for every table that has none. A table with a condition of its own needs rows-N.sql. */
async function fillEmpty(db: Database): Promise<void> {
  const values: Readonly<Record<string, number | string | Buffer>> = {
    INTEGER: 1,
    REAL: 1.5,
    TEXT: 'text',
    BLOB: Buffer.from([0, 255]),
  };
  for (const table of await tablesOf(db)) {
    if (table === 'sqlite_sequence' || (await db.number(`SELECT count(*) AS value FROM ${table}`)) > 0)
      continue;
    const columns = await db.all<{ name: string; type: string }>(
      `SELECT name, type FROM pragma_table_info('${table}')`,
    );
    await db.run(
      `INSERT INTO ${table} (${columns.map(({ name }) => name).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      ...columns.map(({ type }) => values[type] ?? null),
    );
  }
}

async function addRows(db: Database, version: number): Promise<void> {
  const rows = fixtureFile(`rows-${String(version)}.sql`);
  if (existsSync(rows)) await db.exec(readFileSync(rows, 'utf8'));
  await fillEmpty(db);
}

async function step(db: Database, version: number): Promise<void> {
  const sql = migrations[version - 1] ?? '';
  await db.transaction(() => db.exec(`${sql}; PRAGMA user_version = ${String(version)};`));
}

/** A database of this version, with rows of every table. */
async function databaseOf(path: string, version: number): Promise<Database> {
  writeFileSync(path, '');
  const db = await Database.open(path);
  await db.exec('PRAGMA page_size = 8192; PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL');
  await db.exec('PRAGMA foreign_keys = ON');
  await db.exec(readFileSync(fixtureFile('version-1.sql'), 'utf8'));
  await db.exec('PRAGMA user_version = 1');
  for (let next = 2; next <= version; next += 1) {
    await step(db, next);
    await addRows(db, next);
  }
  return db;
}

const schemaOf = (db: Database) =>
  db.all<{ name: string; columns: string }>(
    `SELECT m.type, m.name, (SELECT json_group_array(json_array(name, type, "notnull", dflt_value, pk))
       FROM pragma_table_info(m.name)) AS columns,
       CASE m.type WHEN 'table' THEN '' ELSE replace(replace(m.sql, char(10), ''), ' ', '') END AS text
     FROM sqlite_schema m ORDER BY m.type, m.name`,
  );

describe('a history database of version 0.1.0', () => {
  let directory: string;
  let path: string;
  beforeEach(() => {
    directory = temporaryFolder();
    path = join(directory, 'ridethrough.db');
  });

  it('has rows in every table, in every version', async () => {
    for (const version of [1, schemaVersion]) {
      const db = await databaseOf(path, version);
      for (const [table, rows] of await contentOf(db))
        expect(rows, `${table} of ${String(version)}`).not.to.deep.equal([]);
      await expectSound(db);
      await db.close();
      rmSync(path);
    }
  });

  for (let version = 2; version <= schemaVersion; version += 1) {
    it(`keeps every row in the step to version ${String(version)}`, async () => {
      const db = await databaseOf(path, version - 1);
      const before = withNewNames(await contentOf(db), version);
      await step(db, version);
      await expectSound(db);
      const after = await contentOf(db);
      const isMoved = moved[version] ?? (() => false);
      for (const [table, rows] of survivors(before, after)) {
        const kept = (before.get(table) ?? []).filter((row) => !isMoved(table, row));
        expect(rows, table).to.include.deep.members(kept);
        // A step may add rows of its own, such as a mark.
        if (table !== 'marks') expect(rows, table).to.have.lengthOf(kept.length);
      }
      await db.close();
    });

    it(`is of version ${String(version - 1)} or ${String(version)} after a kill in that step`, async () => {
      const start = await databaseOf(path, version - 1);
      const before = await contentOf(start);
      await start.close();
      copyFileSync(path, `${path}.before`);
      for (const [moment, expected] of [
        ['step', version - 1],
        ['commit', version],
      ] as const) {
        for (const side of ['-wal', '-shm']) rmSync(path + side, { force: true });
        copyFileSync(`${path}.before`, path);
        const run = spawnSync(process.execPath, [killedUpgrade, path, String(version - 1), moment], {
          encoding: 'utf8',
        });
        expect(run.signal, run.stderr).to.equal('SIGKILL');
        const db = await Database.open(path);
        expect(await db.number('SELECT user_version AS value FROM pragma_user_version')).to.equal(expected);
        await expectSound(db);
        if (moment === 'step') expect(await contentOf(db)).to.deep.equal(before);
        await db.close();
        // The daemon continues from either.
        const { db: opened } = await openDatabase(path);
        expect(await opened.number('SELECT user_version AS value FROM pragma_user_version')).to.equal(
          schemaVersion,
        );
        await expectSound(opened);
        await opened.close();
      }
    });
  }

  it('has the schema of a new one after all steps, and its ids continue', async () => {
    const old = await databaseOf(path, 1);
    await old.close();
    const { db: upgraded } = await openDatabase(path);
    const { db: created } = await openDatabase(join(directory, 'new.db'));
    expect(await schemaOf(upgraded)).to.deep.equal(await schemaOf(created));
    await upgraded.run(
      "INSERT INTO events (ts, source, category, type, detail) VALUES (1, 'daemon', 'lifecycle', 'DAEMON_STOP', '')",
    );
    expect(await upgraded.number('SELECT max(id) AS value FROM events')).to.equal(10);
    await upgraded.close();
    await created.close();
  });
});
