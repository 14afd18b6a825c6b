import { expect } from 'chai';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../../workers/storage/database.js';
import { harmless } from '../../fixtures/running-daemon.js';
import { ridethrough } from '../../fixtures/ridethrough.js';
import type { Ran } from '../../fixtures/ridethrough.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';
import { contentOf, day, eneruDatabase, hour } from './history-files.js';

describe('an import from Eneru', () => {
  let directory: string;
  let eneru: string;
  /** Databases that Eneru has open. */
  let open: Database[];
  const now = Math.floor(Date.now() / 1000 / hour) * hour;
  beforeEach(() => {
    directory = temporaryFolder();
    eneru = join(directory, 'eneru');
    mkdirSync(join(directory, 'lib'));
    mkdirSync(eneru);
    open = [];
    configure('office@127.0.0.1:1', 'rack@192.0.2.7');
  });
  afterEach(async () => {
    for (const db of open) await db.close();
  });
  const configure = (...names: readonly string[]): void => {
    const ups = names.map((name) => `[[ups]]\nname = "${name}"\nis_local = false\n`).join('');
    const rest = harmless.replaceAll('{directory}', directory).replaceAll('{shutdown}', '/bin/false');
    writeFileSync(join(directory, 'config.toml'), ups + rest);
  };
  const database = async (name: string, sql: string, schema: 1 | 7 = 7): Promise<Database> => {
    const db = await eneruDatabase(join(eneru, name), schema);
    await db.exec(sql);
    open.push(db);
    return db;
  };
  const run = (...args: readonly string[]): Promise<Ran> =>
    ridethrough(['import', 'eneru', eneru, '--config', join(directory, 'config.toml'), ...args]);
  const content = () => contentOf(join(directory, 'lib'));

  const historyWith = (charge: number): string => `
    INSERT INTO samples (ts, status, battery_charge, battery_runtime, ups_load, input_voltage, depletion_rate,
      time_on_battery, connection_state, real_power) VALUES
      (${String(now - 3000)}, 'OL', 100, 1800, 20, 230.1, 0, 0, 'OK', 120.5),
      (${String(now - 2990)}, 'OB DISCHRG', ${String(charge)}, 1700, 20, 0, 1.5, 10, 'OK', 118),
      (${String(now - 2980)}, 'OB DISCHRG', 90, 1600, 20, 0, 2.5, 20, 'FAILED', 118),
      (${String(now - 2970)}, 'OL', 0, 0, 999, 231, 0, 0, NULL, NULL);
    INSERT INTO agg_5min (ts, battery_charge_avg, battery_charge_min, battery_charge_max, ups_load_avg, ups_load_max,
      samples_count, ups_temperature_avg) VALUES (${String(now - 3 * day)}, 98, 60, 100, 20, 30, 299, 24.5);
    INSERT INTO agg_hourly (ts, battery_charge_avg, battery_charge_min, battery_charge_max, samples_count) VALUES
      (${String(now - 100 * day)}, 99, 80, 100, 3600), (${String(now - 3 * day)}, 98, 60, 100, 3599),
      (${String(now - 5000 * day)}, 1, 1, 1, 1);
    INSERT INTO events (ts, event_type, detail) VALUES
      (${String(now - 3 * day + 10)}, 'ON_BATTERY', 'Battery: 100%'), (${String(now - 3 * day + 200)}, 'POWER_RESTORED', NULL),
      (${String(now - day)}, 'ON_BATTERY', ''), (${String(now - day + 5)}, 'EMERGENCY_SHUTDOWN_INITIATED', 'text'),
      (${String(now - day + 900)}, 'DAEMON_START', '');`;
  const history = historyWith(97);

  it('carries samples, means, events and outages of each UPS, and leaves its databases as they are', async () => {
    await database('office-127.0.0.1-1.db', history);
    await database('rack-192.0.2.7.db', historyWith(77));
    await database('cellar-localhost.db', history);
    writeFileSync(join(eneru, 'auth.db'), 'not a history');
    const hashes = () =>
      readdirSync(eneru).map((name) => [
        name,
        // The index of readers is no content.
        name.endsWith('-shm')
          ? ''
          : createHash('sha256')
              .update(readFileSync(join(eneru, name)))
              .digest('hex'),
      ]);
    const before = hashes();
    const left = () => readdirSync(tmpdir()).filter((name) => name.startsWith('ridethrough-import-'));
    const leftBefore = left();
    const done = await run();
    expect(done, done.err).to.include({ code: 0, err: '' });
    expect(done.out).to.match(/office-127.0.0.1-1.db: \d+ rows.*\n.*history of office@127.0.0.1:1/);
    expect(done.out).to.match(/added: 3 readings, 1 5-minute means, 1 hourly means, 3 events, 2 outages/);
    expect(done.out).to.match(/cellar-localhost.db: not imported: no UPS is configured under this name/);
    expect(hashes()).to.deep.equal(before);
    expect(left()).to.deep.equal(leftBefore);

    const { samples = [], fine = [], coarse = [], events = [], outages = [] } = await content();
    const office = (rows: readonly object[]) =>
      rows.filter((row) => (row as { group_id: string }).group_id === 'office-127.0.0.1-1');
    expect(office(samples)).to.have.lengthOf(3);
    expect(office(samples)[1]).to.include({
      ...{ ts: (now - 2990) * 1000, charge: 9700, runtime: 1700, load: 2000, voltage: 0 },
      ...{ depletion: 1500, real_power: 1180, temperature: null },
    });
    // A charge of 0 on line power and a load of 999 % are no values, and a failed connection has none.
    expect(office(samples)[2]).to.include({
      charge: null,
      runtime: null,
      load: null,
      voltage: 23_100,
      depletion: null,
    });
    expect(office(fine)).to.deep.include.members([
      {
        group_id: 'office-127.0.0.1-1',
        ups: 1,
        metric: 0,
        ts: now - 3 * day,
        n: 299,
        total: 2_930_200,
        low: 6000,
        high: 10_000,
      },
      {
        group_id: 'office-127.0.0.1-1',
        ups: 1,
        metric: 2,
        ts: now - 3 * day,
        n: 299,
        total: 598_000,
        low: 2000,
        high: 3000,
      },
    ]);
    // The hour that has a 5-minute mean is rolled up by the daemon.
    expect(office(coarse).map((row) => (row as { ts: number }).ts)).to.deep.equal([now - 100 * day]);
    expect(events[0]).to.include({ type: 'ON_BATTERY', detail: 'Battery: 100%; imported from eneru' });
    expect(events).to.have.lengthOf(6);
    expect(office(outages)).to.deep.equal([
      {
        ...{
          group_id: 'office-127.0.0.1-1',
          started: (now - 3 * day + 10) * 1000,
          ended: (now - 3 * day + 200) * 1000,
        },
        ...{ end_seen: 1, low_charge: 60 },
      },
      {
        ...{ group_id: 'office-127.0.0.1-1', started: (now - day) * 1000, ended: (now - day) * 1000 },
        ...{ end_seen: 0, low_charge: null },
      },
    ]);
    const { audit, ...rest } = await content();
    expect((await run()).out).to.match(/added: nothing\n/);
    const { audit: later, ...same } = await content();
    expect(same).to.deep.equal(rest);
    expect(later?.length).to.be.above(audit?.length ?? 0);
  });

  it('takes the only database for the only UPS, and one of an older schema', async () => {
    configure('office@127.0.0.1:1');
    await database(
      'default.db',
      `INSERT INTO samples (ts, status, battery_charge) VALUES (${String(now - 3000)}, 'OL', 100), (${String(now - 10)}, 'OL', 99);
       INSERT INTO agg_hourly (ts, battery_charge_avg, samples_count) VALUES (${String(now - 100 * day)}, 50, 9)`,
      1,
    );
    const done = await run('--json');
    expect(done, done.err).to.include({ code: 0 });
    expect(JSON.parse(done.out)).to.have.nested.property('imported[0].added.readings', 2);
    expect((await content())['samples']?.[0]).to.include({ charge: 10_000, real_power: null });
    configure('office@127.0.0.1:1', 'rack@192.0.2.7');
    expect((await run()).err).to.match(/give --ups NAME/);
    expect((await run('--ups', 'rack@192.0.2.7')).out).to.match(/added: 2 readings, 1 hourly means\n/);
  });

  it('changes nothing while a value is of another kind, and names its row', async () => {
    configure('office@127.0.0.1:1');
    await database(
      'default.db',
      `${history}
      INSERT INTO samples (ts, battery_charge) VALUES (${String(now - 100)}, 'full'), ('yesterday', 5);
      INSERT INTO events (ts, event_type) VALUES (${String(now - 100)}, x'00');
      INSERT INTO agg_5min (ts, battery_charge_avg) VALUES (${String(now - 7)}, 5);`,
    );
    const refused = await run();
    expect(refused).to.include({ code: 1, out: '' });
    expect(refused.err).to.match(/4 damaged:/);
    expect(refused.err).to.match(/samples, row 5: battery_charge: expected a number, found "full"/);
    expect(refused.err).to.match(/samples, row 6: expected Unix seconds in the column ts/);
    expect(refused.err).to.match(/events, row 6: event_type: expected text/);
    expect((await content())['audit']).to.deep.equal([]);
    expect((await run('--skip-damaged')).out).to.match(/added: 3 readings/);
  });

  it('refuses a file that is no such database, a damaged one, and one with other tables', async () => {
    configure('office@127.0.0.1:1');
    const path = join(eneru, 'default.db');
    expect((await run()).err).to.match(/has no database of Eneru/);
    writeFileSync(path, 'x'.repeat(20_000));
    expect((await run()).err).to.match(/cannot be read: .*not a database/);
    rmSync(path);
    const filler = `INSERT INTO events (ts, event_type) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
      SELECT i, 'ON_BATTERY' FROM n; PRAGMA wal_checkpoint(TRUNCATE);`;
    await database('default.db', filler);
    await open.pop()?.close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0x5a, 40_000, 60_000));
    expect((await run()).err).to.match(/is damaged/);
    for (const side of ['', '-wal', '-shm']) rmSync(path + side, { force: true });
    await database(
      'default.db',
      'ALTER TABLE samples RENAME TO others; CREATE VIEW samples AS SELECT * FROM others',
    );
    expect((await run()).err).to.match(/is no history of Eneru: it has no table samples/);
    await open.pop()?.close();
    for (const side of ['', '-wal', '-shm']) rmSync(path + side, { force: true });
    await database(
      'default.db',
      'DROP TABLE events; CREATE TABLE events (ts INTEGER, event_type TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO events VALUES (1, 2)',
    );
    expect((await run()).err).to.match(/the database cannot be read: .*rowid/);
    expect((await content())['audit']).to.deep.equal([]);
  });
});
