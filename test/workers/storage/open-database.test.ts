import { expect } from 'chai';
import { chmodSync, copyFileSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { schemaVersion } from '../../../shared/protocol/storage.js';
import { Database } from '../../../workers/storage/database.js';
import { insertEvent } from '../../../workers/storage/events.js';
import { migrations } from '../../../workers/storage/migrations.js';
import { openDatabase } from '../../../workers/storage/open-database.js';
import { rollUp } from '../../../workers/storage/rollup.js';
import { Bench } from './fixture.js';

const event = { at: 5, source: 'office', type: 'ON_BATTERY', detail: '' } as const;
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('a database file', () => {
  let bench: Bench;
  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(() => bench.end());

  it('has as many migrations as its schema version', () => {
    expect(migrations).to.have.lengthOf(schemaVersion);
  });

  for (const [umask, name] of [
    [0, 'a wide umask'],
    [0o077, 'a narrow umask'],
  ] as const)
    it(`is created with mode 0640 under ${name}, with its side files`, async () => {
      const before = process.umask(umask);
      try {
        expect(await bench.probe()).to.equal('OK');
        await bench.run((db) => db.transaction(() => insertEvent(db, event)));
      } finally {
        process.umask(before);
      }
      for (const side of ['', '-wal', '-shm']) expect(modeOf(bench.path + side)).to.equal('640');
    });

  it('is created with its directory, but not below a missing mount', async () => {
    rmSync(bench.directory, { recursive: true });
    expect(await bench.probe()).to.equal('OK');
    expect(modeOf(bench.directory)).to.equal('750');
    const away = join(bench.directory, 'disk/state/ridethrough.db');
    const error: unknown = await openDatabase(away).catch((reason: unknown) => reason);
    expect(error).to.have.property('code', 'ENOENT');
    expect(readdirSync(bench.directory)).not.to.include('disk');
  });

  it('is set back to 0640 when it was opened to others', async () => {
    await bench.probe();
    await bench.store.close();
    chmodSync(bench.path, 0o666);
    await bench.reopen();
    await bench.probe();
    expect(modeOf(bench.path)).to.equal('640');
  });

  it('returns free space, commits durably and keeps its layout', async () => {
    const settings = await bench.run(async (db) => [
      await db.value('SELECT auto_vacuum AS value FROM pragma_auto_vacuum'),
      await db.value('SELECT journal_mode AS value FROM pragma_journal_mode'),
      await db.value('SELECT synchronous AS value FROM pragma_synchronous'),
      await db.value(
        "SELECT count(*) AS value FROM pragma_table_list WHERE schema = 'main' AND strict = 0 AND name NOT LIKE 'sqlite%'",
      ),
    ]);
    expect(settings).to.deep.equal([2, 'wal', 2, 0]);
  });

  it('of a version without recent samples keeps its samples and the ends of its roll-ups', async () => {
    writeFileSync(bench.path, '');
    const old = await Database.open(bench.path);
    for (const step of migrations.slice(0, 4)) await old.exec(step);
    await old.exec(`INSERT INTO ups (group_id) VALUES ('office'), ('rack');
      INSERT INTO samples (ups, ts, charge) VALUES (1, 7199000, 5000), (1, 7200000, 6000), (2, 9000000, 7000);
      UPDATE marks SET value = 7200 WHERE name = 'five_minute_until';
      UPDATE marks SET value = 3600 WHERE name = 'hourly_until';
      PRAGMA user_version = 4`);
    await old.close();
    expect(
      await bench.run((db) => db.all('SELECT five_minute_until AS fine, hourly_until AS coarse FROM ups')),
    ).to.deep.equal([
      { fine: 7200, coarse: 3600 },
      { fine: 7200, coarse: 3600 },
    ]);
    while (await bench.run((db) => rollUp(db, 21_600 + 15)));
    // The sample before 7200 belongs to a bucket that was rolled up already.
    expect(
      await bench.run((db) => db.all('SELECT ups, ts, total FROM five_minute ORDER BY ups, ts')),
    ).to.deep.equal([
      { ups: 1, ts: 7200, total: 6000 },
      { ups: 2, ts: 9000, total: 7000 },
    ]);
    expect(await bench.run((db) => db.number('SELECT count(*) AS value FROM samples'))).to.equal(3);
  });

  it('of a newer version is rejected and not changed', async () => {
    await bench.run((db) => db.exec(`PRAGMA user_version = ${String(schemaVersion + 1)}`));
    await bench.store.close();
    const before = readFileSync(bench.path);
    await bench.reopen();
    expect(await bench.probe()).to.equal('NEWER_SCHEMA');
    expect(readFileSync(bench.path).equals(before)).to.equal(true);
    expect(bench.log.at(-1)?.message).to.match(/runs without storage.*Install that version again/);
  });

  it('that is damaged is moved aside and kept, and a new one starts with higher ids', async () => {
    const old = await bench.run((db) => db.transaction(() => insertEvent(db, event)));
    await bench.store.close();
    const damaged = Buffer.concat([
      Buffer.from('this is no database at all'),
      readFileSync(bench.path).subarray(26),
    ]);
    writeFileSync(bench.path, damaged);
    await bench.reopen();
    expect(await bench.probe()).to.equal('CORRUPT');
    expect(await bench.probe()).to.equal('OK');
    const aside = readdirSync(bench.directory).filter((name) => name.includes('.corrupt-'));
    expect(aside).to.deep.equal(['ridethrough.db.corrupt-1700000000']);
    expect(readFileSync(`${bench.path}.corrupt-1700000000`).equals(damaged)).to.equal(true);
    expect(bench.told).to.deep.equal(['OK', 'CORRUPT', 'OK']);
    expect(bench.log.map(({ message }) => message).join()).to.match(/was moved to .*corrupt-1700000000\./);
    expect(await bench.run((db) => db.transaction(() => insertEvent(db, event)))).to.be.above(
      old + 1_000_000,
    );
  });

  it('that is damaged in the middle is moved aside when the damage is found', async () => {
    await bench.run((db) =>
      db.transaction(async () => {
        for (let day = 0; day < 400; day += 1)
          await insertEvent(db, { ...event, at: day * 86_400, detail: 'x'.repeat(200) });
      }),
    );
    await bench.store.close();
    const bytes = readFileSync(bench.path);
    writeFileSync(bench.path, bytes.fill(0xff, 8192 * 3));
    await bench.reopen();
    const outcome = await bench.store.perform((db) => db.transaction(() => insertEvent(db, event)));
    expect(outcome.ok ? 'OK' : outcome.error.code).to.equal('CORRUPT');
    expect(await bench.probe()).to.equal('OK');
  });

  it('is not replaced endlessly on a disk that damages every new one', async () => {
    await bench.probe();
    await bench.store.close();
    const codes: string[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      writeFileSync(bench.path, 'x'.repeat(8192));
      await bench.reopen();
      codes.push(await bench.probe());
      bench.nowMs += 1000;
    }
    expect(codes).to.deep.equal(Array(5).fill('CORRUPT'));
    expect(readdirSync(bench.directory).filter((name) => name.includes('.corrupt-'))).to.have.lengthOf(3);
    expect(bench.log.at(-1)?.message).to.match(/damaged databases: check the disk/);
  });

  it('is created again after it was removed while open', async () => {
    await bench.probe();
    rmSync(bench.path);
    expect(await bench.probe()).to.equal('OK');
    expect(statSync(bench.path).size).to.be.above(0);
  });

  it('is reopened after it was replaced while open', async () => {
    await bench.run((db) => db.transaction(() => insertEvent(db, { ...event, detail: 'in the backup' })));
    await bench.reopen();
    await bench.probe();
    await bench.store.close();
    copyFileSync(bench.path, `${bench.path}.backup`);
    await bench.reopen();
    await bench.run((db) => db.transaction(() => insertEvent(db, event)));
    for (const side of ['', '-wal', '-shm']) rmSync(bench.path + side);
    copyFileSync(`${bench.path}.backup`, bench.path);
    const details = await bench.run((db) => db.all<{ detail: string }>('SELECT detail FROM events'));
    expect(details).to.deep.equal([{ detail: 'in the backup' }]);
  });
});
