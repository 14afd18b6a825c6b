import { expect } from 'chai';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { Database } from '../../../workers/storage/database.js';
import { Bench, codeOf } from './fixture.js';

describe('the storage queue', () => {
  let bench: Bench;
  beforeEach(() => {
    bench = new Bench();
  });
  afterEach(() => bench.end());

  it('runs one task at a time, in order', async () => {
    const seen: string[] = [];
    const work = (name: string) => async (): Promise<void> => {
      seen.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(`${name} ends`);
    };
    await Promise.all([bench.run(work('a')), bench.run(work('b'))]);
    expect(seen).to.deep.equal(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('rejects more than eight waiting tasks', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 9 }, () => bench.store.perform(() => Promise.resolve())),
    );
    expect(outcomes.map(codeOf)).to.deep.equal([...Array<string>(8).fill('OK'), 'BUSY']);
  });

  it('leaves nothing behind of a failed task', async () => {
    const broken = await bench.store
      .perform((db) =>
        db.transaction(async () => {
          await db.run("INSERT INTO ups (group_id) VALUES ('half')");
          throw new Error('a bug');
        }),
      )
      .catch((error: unknown) => String(error));
    expect(broken).to.equal('Error: a bug');
    expect(await bench.run((db) => db.number('SELECT count(*) AS value FROM ups'))).to.equal(0);
  });

  it('reports a lock of another process, and continues after its release', async () => {
    await bench.probe();
    const other = await Database.open(bench.path);
    await other.exec('BEGIN IMMEDIATE');
    const outcome = await bench.store.perform((db) => db.transaction(() => db.run('DELETE FROM ups')));
    expect(codeOf(outcome)).to.equal('LOCKED');
    expect(bench.log.at(-1)?.message).to.match(/Another process holds the database/);
    await other.exec('ROLLBACK');
    await other.close();
    expect(await bench.probe()).to.equal('OK');
    expect(bench.told).to.deep.equal(['OK', 'LOCKED', 'OK']);
  });

  it('retries about once a second until its parent directory exists', async () => {
    rmSync(bench.parent, { recursive: true });
    expect(await bench.probe()).to.equal('CANNOT_OPEN');
    mkdirSync(bench.parent);
    expect(await bench.probe()).to.equal('CANNOT_OPEN');
    bench.nowMs += 1000;
    expect(await bench.probe()).to.equal('OK');
    expect(bench.told).to.deep.equal(['CANNOT_OPEN', 'OK']);
    expect(bench.log.filter(({ level }) => level === 'error')).to.have.lengthOf(1);
  });

  it('notices that its directory was moved', async () => {
    await bench.probe();
    renameSync(bench.parent, `${bench.parent}.moved`);
    expect(await bench.probe()).to.equal('CANNOT_OPEN');
    renameSync(`${bench.parent}.moved`, bench.parent);
    bench.nowMs += 1000;
    expect(await bench.probe()).to.equal('OK');
  });
});
