import { expect } from 'chai';
import { rmSync } from 'node:fs';
import { metrics } from '../../../shared/domain/status/metrics.js';
import { moveSamples } from '../../../workers/storage/rollup.js';
import { SampleWriter } from '../../../workers/storage/samples.js';
import { Bench, sampleOf } from './fixture.js';

describe('stored samples', () => {
  let bench: Bench;
  let writer: SampleWriter;
  beforeEach(() => {
    bench = new Bench();
    writer = new SampleWriter();
  });
  afterEach(() => bench.end());

  const append = (...samples: ReturnType<typeof sampleOf>[]) => bench.run((db) => writer.append(db, samples));
  const stored = () =>
    bench.run((db) =>
      db.all<Record<string, number | null>>(
        'SELECT u.group_id, s.* FROM recent_samples s JOIN ups u ON u.key = s.ups ORDER BY u.group_id, s.ts',
      ),
    );

  it('are keyed by UPS and millisecond, scaled, with null for a missing value', async () => {
    await append(
      sampleOf('office', 100.5, { charge: 99.5, voltage: 230.12, runtime: 1200, depletion: 0.125 }),
    );
    const missing = Object.fromEntries(metrics.map(({ name }) => [name, null]));
    expect(await stored()).to.deep.equal([
      {
        ...missing,
        group_id: 'office',
        ups: 1,
        ts: 100_500,
        charge: 9950,
        voltage: 23_012,
        runtime: 1200,
        depletion: 125,
      },
    ]);
  });

  it('that are sent again are stored once', async () => {
    const sample = sampleOf('office', 100, { charge: 50 });
    expect(await append(sample, sampleOf('rack', 100, { charge: 50 }))).to.equal(2);
    expect(await append(sample, sampleOf('office', 101, { charge: 49 }))).to.equal(1);
    expect(await stored()).to.have.lengthOf(3);
  });

  it('omit a value that is missing or physically impossible', async () => {
    expect(await append(sampleOf('office', 100, {}))).to.equal(0);
    await append(sampleOf('office', 101, { charge: 1, runtime: 1e300 }));
    expect((await stored())[0]).to.include({ charge: 100, runtime: null });
  });

  it('are stored with the next flush when the first flush of their UPS failed', async () => {
    await bench.run((db) =>
      db.exec("CREATE TRIGGER no BEFORE INSERT ON recent_samples BEGIN SELECT RAISE(ABORT, 'no'); END"),
    );
    const failed = await bench.store
      .perform((db) => writer.append(db, [sampleOf('office', 100, { charge: 1 })]))
      .catch((error: unknown) => String(error));
    expect(failed).to.match(/no/);
    await bench.run((db) => db.exec('DROP TRIGGER no'));
    await append(sampleOf('rack', 100, { charge: 1 }), sampleOf('office', 100, { charge: 2 }));
    expect((await stored()).map(({ group_id, charge }) => [group_id, charge])).to.deep.equal([
      ['office', 200],
      ['rack', 100],
    ]);
  });

  it('are moved to those of their UPS some thousand at a time, once each', async () => {
    const samples = Array.from({ length: 25_000 }, (_, index) =>
      sampleOf(index % 2 === 0 ? 'office' : 'rack', 1000 + index / 100, { charge: index % 100 }),
    );
    for (let from = 0; from < samples.length; from += 5000) await append(...samples.slice(from, from + 5000));
    const counts = () =>
      bench.run(async (db) => [
        await db.number('SELECT count(*) AS value FROM samples'),
        await db.number('SELECT count(*) AS value FROM recent_samples'),
      ]);
    // None of them is due; they are too many.
    expect(await bench.run((db) => moveSamples(db, 1000))).to.equal(true);
    expect(await counts()).to.deep.equal([20_001, 4999]);
    expect(await bench.run((db) => moveSamples(db, 1000))).to.equal(false);
    // An answer was lost: a sample is sent again after it was moved.
    await append(...samples.slice(0, 10));
    expect(await bench.run((db) => moveSamples(db, 1000.001))).to.equal(true);
    expect(await counts()).to.deep.equal([25_000, 0]);
  });

  it('find their UPS again after the database was created again', async () => {
    await append(sampleOf('first', 100, { charge: 1 }), sampleOf('office', 100, { charge: 1 }));
    for (const side of ['', '-wal', '-shm']) rmSync(bench.path + side);
    await append(sampleOf('office', 100, { charge: 3 }));
    expect((await stored()).map(({ group_id, charge }) => [group_id, charge])).to.deep.equal([
      ['office', 300],
    ]);
  });
});
