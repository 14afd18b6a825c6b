import { expect } from 'chai';
import type { SampleRecord } from '../../../../shared/protocol/storage.js';
import { CoverageCounter } from '../../../../workers/storage/coverage/counter.js';
import { inTimeZone } from '../../../fixtures/time-zone.js';
import { Bench, sampleOf } from '../fixture.js';

const local = (text: string): number => new Date(text).getTime() / 1000;

const read = (from: number, seconds: number, every = 10): readonly SampleRecord[] =>
  Array.from({ length: seconds / every + 1 }, (_, step) =>
    sampleOf('office', from + step * every, { load: 40 }),
  );

describe('the time in which a UPS was read', () => {
  inTimeZone('Europe/Berlin');
  let bench: Bench;
  let counter: CoverageCounter;
  beforeEach(async () => {
    bench = new Bench();
    counter = new CoverageCounter();
    await bench.run((db) => db.run(`INSERT INTO ups (group_id) VALUES ('office')`));
  });
  afterEach(() => bench.end());

  const count = (samples: readonly SampleRecord[], areNew = true) =>
    bench.run((db) => counter.count(db, samples, areNew));
  const days = () =>
    bench.run(async (db) => {
      await counter.write(db);
      return db.all<{ day: number; seconds: number; first: number; last: number }>(
        'SELECT day, seconds, first, last FROM coverage_days ORDER BY day',
      );
    });
  const seconds = async () => (await days()).map((one) => [one.day, one.seconds]);

  it('is the time between samples without the gaps', async () => {
    const noon = local('2026-06-15T12:00');
    await count(read(noon, 600));
    await count(read(noon + 600 + 300, 600));
    const [day] = await days();
    expect(day).to.deep.equal({
      day: 20260615,
      seconds: 1200,
      first: noon * 1000,
      last: (noon + 1500) * 1000,
    });
  });

  it('does not need a power, and is divided at midnight', async () => {
    await count(read(local('2026-06-15T23:59:00'), 120, 50 / 2.5));
    expect(await seconds()).to.deep.equal([
      [20260615, 60],
      [20260616, 60],
    ]);
  });

  it('of days with 23 and 25 hours is 23 and 25 hours', async () => {
    await count(read(local('2026-03-29T00:00'), 23 * 3600, 60));
    await count(read(local('2026-10-25T00:00'), 25 * 3600, 60));
    const found = new Map((await days()).map(({ day, seconds: s }) => [day, s]));
    expect([found.get(20260329), found.get(20261025)]).to.deep.equal([23 * 3600, 25 * 3600]);
  });

  it('counts samples that are sent again once, and continues after a crash', async () => {
    const noon = local('2026-06-15T12:00');
    await count(read(noon, 300));
    await days();
    await count(read(noon + 300, 50));
    counter = new CoverageCounter();
    await count(read(noon + 360, 240));
    await count(read(noon, 600), false);
    expect(await seconds()).to.deep.equal([[20260615, 600]]);
  });

  it('counts once when the database is opened again', async () => {
    const noon = local('2026-06-15T12:00');
    await count(read(noon, 300));
    await days();
    await count(read(noon + 310, 50));
    await bench.reopen();
    await count(read(noon + 370, 230));
    expect(await seconds()).to.deep.equal([[20260615, 600]]);
  });

  it('survives a clock that was set back', async () => {
    const noon = local('2026-06-15T12:00');
    await count(read(noon, 100));
    await count(read(noon - 1000, 100));
    expect(await seconds()).to.deep.equal([[20260615, 200]]);
  });
});
