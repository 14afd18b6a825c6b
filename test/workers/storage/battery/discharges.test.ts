import { expect } from 'chai';
import type { SampleRecord } from '../../../../shared/protocol/storage.js';
import { BatteryBench, daily, start } from './bench.js';
import { BatteryLife, day } from './battery-life.js';

/** Copies every discharge so many times, each time so many ms later. */
const copies = `
  WITH RECURSIVE time (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM time WHERE n < ?1)
  INSERT INTO battery_discharges (ups, series, started, last, ended, cause, seconds, load, from_charge, to_charge, fall,
    joules, measured, capacity, curve)
  SELECT ups, series, started + n * ?2, last + n * ?2, ended + n * ?2, cause, seconds, load, from_charge, to_charge, fall,
    joules, measured, capacity, curve
  FROM time, battery_discharges ORDER BY n, key`;

describe('the discharges of a battery', () => {
  let bench: BatteryBench;
  beforeEach(() => {
    bench = new BatteryBench();
    bench.configure(daily);
  });
  afterEach(() => bench.end());

  it('stores no time on battery below five seconds', async () => {
    const life = new BatteryLife({ capacity: () => 1 });
    await bench.feed(life.line(start, start + 3600));
    for (let blip = 0; blip < 50; blip += 1) {
      const at = start + 4000 + blip * 120;
      await bench.feed(life.battery(at, 4, { step: 1 }));
      await bench.feed(life.line(at + 4, at + 120, 30));
    }
    expect(await bench.discharges()).to.deep.equal([]);
  });

  it('keeps one discharge over an interruption below a minute', async () => {
    const life = new BatteryLife({ capacity: () => 1 });
    await bench.feed(life.line(start, start + 3600));
    await bench.feed(life.battery(start + 3600, 300));
    await bench.feed(life.line(start + 3900, start + 3940, 10));
    await bench.feed(life.battery(start + 3940, 300));
    await bench.feed(life.line(start + 4240, start + 8000, 60));
    const [only, ...others] = await bench.discharges();
    expect([only?.seconds, only?.ended, others]).to.deep.equal([580, (start + 4230) * 1000, []]);
  });

  it('names the cause: by the words of the UPS, else by the outage that was recorded', async () => {
    const life = new BatteryLife({ capacity: () => 1 });
    await bench.feed(life.line(start, start + 3600));
    await bench.feed(life.battery(start + 3600, 60, { words: 'OB DISCHRG TEST' }));
    await bench.feed(life.line(start + 3660, start + 7200, 60));
    await bench.run(async (db) => {
      await db.run(
        "INSERT INTO outages (ups, cause, started) SELECT key, 'calibration', ? FROM ups",
        (start + 7201) * 1000,
      );
    });
    await bench.feed(life.battery(start + 7200, 60));
    await bench.feed(life.line(start + 7260, start + 9000, 60));
    await bench.feed(life.battery(start + 9000, 60));
    await bench.feed(life.line(start + 9060, start + 12_000, 60));
    expect((await bench.discharges()).map(({ cause }) => cause)).to.deep.equal([
      'self-test',
      'calibration',
      'outage',
    ]);
  });

  it('goes on with a discharge after a clean restart, and after a kill', async () => {
    const life = new BatteryLife({ capacity: () => 1 });
    await bench.feed(life.line(start, start + 3600, 60));
    const at = start + 3600;
    await bench.feed(life.battery(at, 300));
    await bench.run((db) => bench.tracker.flush(db));
    await bench.restart();
    await bench.feed(life.battery(at + 300, 300));
    // Killed: what was not written is lost, and no more.
    await bench.restart();
    await bench.feed(life.battery(at + 610, 290));
    await bench.feed(life.line(at + 900, at + 2000, 60));
    const [only, ...others] = await bench.discharges();
    expect(others).to.deep.equal([]);
    expect(only?.seconds).to.equal(890);
    expect(only?.joules).to.be.closeTo(890 * 200, 1);
  });

  it('ends a discharge whose end nobody saw with its last sample', async () => {
    const life = new BatteryLife({ capacity: () => 1 });
    await bench.feed(life.line(start, start + 3600, 60));
    await bench.feed(life.battery(start + 3600, 310));
    await bench.restart();
    await bench.feed(life.line(start + 9000, start + 9600, 60));
    const [only] = await bench.discharges();
    expect(only?.ended).to.be.within((start + 3600 + 270) * 1000, (start + 3900) * 1000);
  });

  it('counts a batch that is sent again once', async () => {
    const life = new BatteryLife({ capacity: () => 1 });
    const samples = [...life.line(start, start + 3600, 60), ...life.battery(start + 3600, 600)];
    await bench.append(samples);
    await bench.append(samples);
    await bench.append([...life.line(start + 4200, start + 6000, 60)]);
    expect((await bench.discharges()).map(({ seconds }) => seconds)).to.deep.equal([590]);
  });

  it('goes on after a clock that was set back, in a discharge too', async () => {
    const life = new BatteryLife({ capacity: () => 1 });
    await bench.feed(life.line(start, start + 20 * day));
    await bench.feed(life.battery(start + 20 * day, 600));
    const back = start + 10 * day;
    await bench.feed(life.battery(back, 600));
    await bench.feed(life.line(back + 600, back + 40 * day));
    const rows = await bench.discharges();
    expect(rows.map(({ seconds }) => seconds)).to.deep.equal([1180]);
    expect(bench.health().ts).to.be.at.least(back + 39 * day);
    expect(bench.health().score).to.be.at.least(95);
  });

  it('keeps the newest of thousands of discharges', async () => {
    const life = new BatteryLife({ capacity: () => 1 });
    const flapping = (from: number): readonly SampleRecord[] =>
      Array.from({ length: 20 }, (_, place) => from + place * 600).flatMap((at) => [
        ...life.battery(at, 60),
        ...life.line(at + 60, at + 600, 120),
      ]);
    const seconds = 20 * 600;
    await bench.feed(flapping(start));
    await bench.run((db) => db.run(copies, 274, seconds * 1000));
    const at = start + 275 * seconds;
    await bench.feed(flapping(at));
    const rows = await bench.discharges();
    expect(rows.length).to.equal(5000);
    expect(rows[0]?.started).to.equal((at - 4980 * 600) * 1000);
    expect(bench.health().replacementDue).to.equal(false);
  });

  it('loses nothing when a commit fails', async () => {
    const life = new BatteryLife({ capacity: () => 1 });
    await bench.feed(life.line(start, start + 3600, 60), { stores: true });
    const samples = [...life.battery(start + 3600, 120), ...life.line(start + 3720, start + 5000, 60)];
    await bench.run((db) =>
      db.exec(
        "CREATE TRIGGER full BEFORE INSERT ON battery_discharges BEGIN SELECT RAISE(FAIL, 'full'); END",
      ),
    );
    await bench.append(samples).then(
      () => expect.fail('it was written'),
      () => undefined,
    );
    await bench.run((db) => db.exec('DROP TRIGGER full'));
    await bench.append(samples);
    expect((await bench.discharges()).map(({ seconds }) => seconds)).to.deep.equal([110]);
  });
});
