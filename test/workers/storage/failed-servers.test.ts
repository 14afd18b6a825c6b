import { expect } from 'chai';
import sqlite3 from 'sqlite3';
import { deleteEvents } from '../../../workers/storage/events.js';
import { saveFailedServers, loadFailedServers } from '../../../workers/storage/failed-servers.js';
import { migrations } from '../../../workers/storage/migrations.js';
import { Bench } from './fixture.js';

const nas = { server: 'nas', place: 'root@192.0.2.9:22', notified: true };
const odd = { server: "x'); DROP TABLE events; --", place: 'ü@h:1', notified: false };

describe('the stored list of failed servers', () => {
  let bench: Bench;
  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(() => bench.end());

  const kept = async () => (await bench.run(loadFailedServers)).failed;

  it('survives a restart with its last value', async () => {
    expect(await kept()).to.deep.equal([]);
    await bench.run((db) => saveFailedServers(db, [nas, odd]));
    await bench.reopen();
    expect(await kept()).to.deep.equal([nas, odd]);
    await bench.run((db) => saveFailedServers(db, [nas]));
    expect(await kept()).to.deep.equal([nas]);
    await bench.run((db) => saveFailedServers(db, []));
    expect(await kept()).to.deep.equal([]);
  });

  it('survives the deletion of events by a user', async () => {
    await bench.run((db) => saveFailedServers(db, [nas]));
    await bench.run((db) =>
      db.run(
        "INSERT INTO events (id, ts, source, category, type, detail) VALUES (7, 5, 'office', 'diagnostics', 'REMOTE_HEALTH_FAILED', 'nas')",
      ),
    );
    const items = [{ id: 7, ts: 5, eventType: 'REMOTE_HEALTH_FAILED' }];
    await bench.run((db) => deleteEvents(db, { source: 'office', items, principal: 'user:alice', at: 9 }));
    expect(await bench.run((db) => db.value('SELECT id AS value FROM events WHERE id = 7'))).to.equal(null);
    expect(await kept()).to.deep.equal([nas]);
  });

  it('is added to a database of the previous version, which keeps its rows', async () => {
    const old = migrations.slice(0, 3).join(';');
    await new Promise<void>((resolve, reject) => {
      const db = new sqlite3.Database(bench.path, (opened) => {
        if (opened !== null) return reject(opened);
        const row = `INSERT INTO events (ts, source, category, type, detail) VALUES (5, 'office', 'audit', 'LOGIN_FAILURE', 'x')`;
        db.exec(`${old}; ${row}; PRAGMA user_version = 3;`, (failed) => {
          db.close(() => (failed === null ? resolve() : reject(failed)));
        });
      });
    });
    expect(await kept()).to.deep.equal([]);
    await bench.run((db) => saveFailedServers(db, [nas]));
    expect(await kept()).to.deep.equal([nas]);
    expect(await bench.run((db) => db.number('SELECT count(*) AS value FROM events'))).to.equal(1);
    expect(
      await bench.run((db) => db.number('SELECT user_version AS value FROM pragma_user_version')),
    ).to.equal(migrations.length);
  });
});
