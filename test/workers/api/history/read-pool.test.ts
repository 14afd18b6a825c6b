import { expect } from 'chai';
import { readdirSync, readlinkSync, renameSync, writeFileSync } from 'node:fs';
import { schemaVersion } from '../../../../shared/protocol/storage.js';
import type { Ask } from '../../../../workers/api/history/read-pool.js';
import { ReadPool } from '../../../../workers/api/history/read-pool.js';
import { is, until } from '../../../fixtures/until.js';
import { insertEvent } from '../../../../workers/storage/events.js';
import { Bench, codeOf } from '../../storage/fixture.js';

/** Runs until it is stopped. */
const endless = (ask: Ask): Promise<unknown> =>
  ask('WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n', {});
const quick = (ask: Ask): Promise<unknown> => ask('SELECT count(*) AS n FROM events', {});

/** It was open while the directory was read and is closed by now. */
function leadsTo(descriptor: string, path: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`) === path;
  } catch {
    return false;
  }
}

describe('the readers of the history', () => {
  let bench: Bench;
  let pool: ReadPool;
  beforeEach(async () => {
    bench = new Bench();
    await bench.probe();
    pool = new ReadPool(bench.path);
  });
  afterEach(async () => {
    await pool.close();
    await bench.end();
  });

  let different = 0;
  const read = (
    work: (ask: Ask) => Promise<unknown>,
    deadlineMs = 10_000,
    stop = new AbortController(),
    key = String(++different),
  ) => pool.read(key, work, { signal: stop.signal, deadlineMs });

  it('are at most two at once; the third waits for a free one', async () => {
    const first = new AbortController();
    const second = new AbortController();
    let begun = 0;
    const counted = (ask: Ask): Promise<unknown> => {
      begun += 1;
      return endless(ask);
    };
    const outcomes = [read(counted, 10_000, first), read(counted, 10_000, second)];
    const third = read((ask) => {
      begun += 1;
      return quick(ask);
    });
    await until(() => begun, is(2));
    first.abort();
    expect(codeOf(await third)).to.equal('OK');
    second.abort();
    expect((await Promise.all(outcomes)).map(codeOf)).to.deep.equal(['ABORTED', 'ABORTED']);
    expect(begun).to.equal(3);
  });

  it('time out at their deadline, and are free soon after', async () => {
    const late = await Promise.all([read(endless, 50), read(endless, 50)]);
    expect(late.map(codeOf)).to.deep.equal(['DEADLINE_EXCEEDED', 'DEADLINE_EXCEEDED']);
    expect(codeOf(await read(quick, 5000))).to.equal('OK');
  });

  it('count waiting queries, and drop those whose client is gone', async () => {
    const hogs = [new AbortController(), new AbortController()];
    const busy = hogs.map((hog) => read(endless, 10_000, hog));
    const stop = new AbortController();
    const gone = read(quick, 10_000, stop);
    stop.abort();
    expect(codeOf(await gone)).to.equal('ABORTED');
    expect(codeOf(await read(quick, 30))).to.equal('DEADLINE_EXCEEDED');
    for (const hog of hogs) hog.abort();
    await Promise.all(busy);
  });

  it('reject a query when 320 already wait', async () => {
    const stops = Array.from({ length: 323 }, () => new AbortController());
    const all = stops.map((stop) => read(endless, 10_000, stop));
    const refused = await all[322];
    expect(refused === undefined ? '' : codeOf(refused)).to.equal('BUSY');
    for (const stop of stops) stop.abort();
    expect((await Promise.all(all)).map(codeOf).filter((code) => code === 'ABORTED')).to.have.lengthOf(322);
  });

  it('refuse a query that has waited too long, and begin it never', async () => {
    const impatient = new ReadPool(bench.path, 50);
    const hogs = [new AbortController(), new AbortController()];
    const busy = hogs.map(({ signal }, number) =>
      impatient.read(`hog ${String(number)}`, endless, { signal, deadlineMs: 10_000 }),
    );
    let begun = 0;
    const waiting = impatient.read(
      'waiting',
      (ask) => {
        begun += 1;
        return quick(ask);
      },
      { signal: new AbortController().signal, deadlineMs: 10_000 },
    );
    expect(codeOf(await waiting)).to.equal('BUSY');
    for (const hog of hogs) hog.abort();
    expect((await Promise.all(busy)).map(codeOf)).to.deep.equal(['ABORTED', 'ABORTED']);
    await impatient.close();
    expect(begun).to.equal(0);
  });

  it('are one for equal queries that wait, and never for one that has begun', async () => {
    const hogs = [new AbortController(), new AbortController()];
    const busy = hogs.map((hog) => read(endless, 10_000, hog, 'same'));
    let begun = 0;
    const counted = async (ask: Ask): Promise<unknown> => {
      begun += 1;
      return ask('SELECT $begun AS n', { $begun: begun });
    };
    const stop = new AbortController();
    const gone = read(counted, 10_000, stop, 'same');
    const others = [1, 2].map(() => read(counted, 10_000, new AbortController(), 'same'));
    const different = read(quick);
    stop.abort();
    expect(codeOf(await gone)).to.equal('ABORTED');
    for (const hog of hogs) hog.abort();
    const [one, two] = await Promise.all(others);
    expect(one).to.deep.equal({ ok: true, value: [{ n: 1 }] });
    expect(one?.ok === true && two?.ok === true && one.value === two.value).to.equal(true);
    expect(await different).to.deep.equal({ ok: true, value: [{ n: 0 }] });
    expect((await Promise.all(busy)).map(codeOf)).to.deep.equal(['ABORTED', 'ABORTED']);
    expect(begun).to.equal(1);
  });

  it('hold no lock after a query: the writer can truncate its log', async () => {
    const held = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
      SELECT count(*) FROM n LEFT JOIN events ON events.id = n.i`;
    expect(await read(quick)).to.deep.equal({ ok: true, value: [{ n: 0 }] });
    expect(codeOf(await read((ask) => ask(held, {}), 50))).to.equal('DEADLINE_EXCEEDED');
    await bench.run((db) => insertEvent(db, { at: 1, source: 'a', type: 'ON_BATTERY', detail: '' }));
    const emptied = () => bench.run((db) => db.all<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)'));
    await until(emptied, ([row]) => row?.busy === 0);
    expect(await read(quick)).to.deep.equal({ ok: true, value: [{ n: 1 }] });
  });

  it('handle more different queries than their statement cache holds', async () => {
    const asked = Array.from({ length: 80 }, (_, number) => number % 40);
    const answers = await read(async (ask) => {
      const found: unknown[] = [];
      for (const number of asked) found.push((await ask(`SELECT ${String(number)} AS n`, {}))[0]);
      return found;
    });
    expect(answers).to.deep.equal({ ok: true, value: asked.map((n) => ({ n })) });
    expect(codeOf(await read((ask) => ask('SELECT nonsense', {})))).to.equal('UNAVAILABLE');
    expect(codeOf(await read(quick))).to.equal('OK');
  });

  it('close the file when they are closed', async () => {
    const open = () => readdirSync('/proc/self/fd').filter((fd) => leadsTo(fd, bench.path)).length;
    await read(quick);
    // In one process SQLite closes the descriptors of both connections to a file together.
    await bench.store.close();
    expect(open()).to.be.above(0);
    await pool.close();
    expect(open()).to.equal(0);
  });

  it('cannot write', async () => {
    const outcome = await read((ask) => ask('DELETE FROM events', {}));
    expect(codeOf(outcome)).to.equal('UNAVAILABLE');
  });

  it('find the new database after a damaged one is moved aside', async () => {
    expect(codeOf(await read(quick))).to.equal('OK');
    await bench.store.close();
    renameSync(bench.path, `${bench.path}.aside`);
    expect(codeOf(await read(quick))).to.equal('UNAVAILABLE');
    await bench.reopen();
    await bench.run((db) =>
      db.exec("INSERT INTO events (ts, source, category, type, detail) VALUES (1, 'x', 'audit', 'y', '')"),
    );
    expect(await read(quick)).to.deep.equal({ ok: true, value: [{ n: 1 }] });
  });

  it('reject an unknown query with an error', async () => {
    const messageOf = async (): Promise<string> => {
      const outcome = await read(quick);
      return outcome.ok ? 'OK' : outcome.error.message;
    };
    await bench.run((db) => db.exec(`PRAGMA user_version = ${String(schemaVersion + 1)}`));
    expect(await messageOf()).to.match(/a newer version of ridethrough/);
    await bench.store.close();
    renameSync(bench.path, `${bench.path}.aside`);
    writeFileSync(bench.path, '');
    expect(await messageOf()).to.match(/has not prepared it yet/);
    writeFileSync(bench.path, 'no database '.repeat(1000));
    expect(await messageOf()).to.match(/not a database/);
  });
});
