import { expect } from 'chai';
import type { Retention } from '../../../shared/protocol/storage.js';
import { Maintenance } from '../../../workers/storage/maintenance.js';
import { SampleWriter } from '../../../workers/storage/samples.js';
import { Bench, sampleOf } from '../../workers/storage/fixture.js';

const hour = 3600;
const day = 86_400;
const start = 1_700_000_000;
const retention: Retention = { rawHours: 24, fiveMinuteDays: 30, hourlyDays: 1825 };
const kept = { retention, notifications: { settledSeconds: 7 * day, pendingSeconds: 30 * day } };

describe('the pace of the retention', () => {
  let bench: Bench;
  let maintenance: Maintenance;
  beforeEach(async () => {
    bench = new Bench();
    bench.wall = start;
    maintenance = new Maintenance(bench.store, bench.clock);
    const samples = Array.from({ length: 40 * 24 }, (_, n) =>
      sampleOf('office', start - n * hour - 1, { charge: 90 }),
    );
    await bench.run((db) => new SampleWriter().append(db, samples));
    for (let week = 0; week < 5; week += 1)
      await bench.record(
        { at: start - week * 7 * day - hour, type: 'LOGIN_SUCCESS' },
        { at: start - week * 7 * day - hour },
      );
  });
  afterEach(() => bench.end());

  /** Rounds so many minutes apart. */
  const pass = async (rounds: number, minutes: number): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      bench.nowMs += minutes * 60_000;
      bench.wall += minutes * 60;
      await maintenance.round(kept);
    }
  };
  const count = () =>
    bench.run(async (db) => {
      const of = (sql: string): Promise<number> => db.number(`SELECT count(*) AS value FROM ${sql}`);
      return {
        samples: await of('samples'),
        fiveMinute: await of('five_minute'),
        hourly: await of('hourly'),
        events: await of('events'),
        audits: await of("events WHERE category = 'audit'"),
      };
    });

  it('is two hours of rows in five minutes of a clock that is years ahead, also after a restart', async () => {
    // What is due at first is deleted while the wall clock stands still.
    for (let round = 0; round < 48; round += 1) {
      bench.nowMs += hour * 1000;
      await maintenance.round(kept);
    }
    const before = await count();
    expect(before).to.deep.equal({ samples: 25, fiveMinute: 742, hourly: 955, events: 10, audits: 5 });
    bench.wall += 6 * 365 * day;
    await pass(5, 1);
    maintenance = new Maintenance(bench.store, bench.clock);
    await pass(1, 1);
    bench.wall -= 6 * 365 * day;
    await pass(2, 1);
    const { samples, fiveMinute, hourly, ...events } = await count();
    expect(samples).to.be.within(22, 24);
    // A whole day becomes due at its end, which is among the two hours.
    expect(fiveMinute).to.be.within(before.fiveMinute - 24, before.fiveMinute);
    expect(hourly).to.be.at.least(before.hourly - 3);
    expect(events).to.deep.equal({ events: 10, audits: 5 });
  });

  it('is a day in an hour for a daemon that was off, and skips times without rows', async () => {
    // Of a clock that began in 1970.
    await bench.run((db) => new SampleWriter().append(db, [sampleOf('office', hour, { charge: 90 })]));
    await bench.record({ at: hour });
    bench.wall += 2000 * day;
    await pass(1, 1);
    expect(await count()).to.include({ hourly: 961, events: 11 });
    await pass(20, 60);
    const { hourly, events } = await count();
    expect(hourly).to.be.within(960 - 20 * 24, 960 - 17 * 24);
    expect(events).to.be.within(4, 8);
    await pass(30, 60);
    expect(await count()).to.deep.equal({ samples: 0, fiveMinute: 0, hourly: 0, events: 0, audits: 0 });
  });
});
