import { expect } from 'chai';
import type { SampleRecord } from '../../../../shared/protocol/storage.js';
import { diskTimeoutMs, sampleOf } from '../fixture.js';
import { BatteryBench, settings } from './bench.js';
import { BatteryLife, day, newRuntime } from './battery-life.js';

const start = Date.UTC(2024, 0, 1) / 1000;
const daily = { ...settings, updateIntervalSeconds: day };

interface DischargeRow {
  readonly started: number;
  readonly ended: number | null;
  readonly seconds: number;
  readonly cause: string;
  readonly series: number;
  readonly joules: number | null;
  readonly capacity: number | null;
}

describe('the health of a battery', function () {
  this.timeout(2 * diskTimeoutMs);
  let bench: BatteryBench;
  beforeEach(() => {
    bench = new BatteryBench();
    bench.configure(daily);
  });
  afterEach(() => bench.end());

  const discharges = (): Promise<readonly DischargeRow[]> =>
    bench.run((db) =>
      db.all<DischargeRow>(
        'SELECT started, ended, seconds, cause, series, joules, capacity FROM battery_discharges ORDER BY key',
      ),
    );

  /** Months of 30 days with an outage of 20 min at the end of each. */
  async function live(life: BatteryLife, from: number, months: number): Promise<number> {
    for (let month = 0; month < months; month += 1) {
      const at = from + month * 30 * day;
      await bench.feed(life.line(at, at + 30 * day - 6 * 3600));
      await bench.feed(life.battery(at + 30 * day - 6 * 3600, 1200));
    }
    return from + months * 30 * day;
  }

  it('follows a battery that dies, tells of it once per tier, and in time', async () => {
    const capacity = (at: number): number => 1 - (0.3 * (at - start)) / (365 * day);
    const life = new BatteryLife({ capacity, noise: 0.03 });
    await live(life, start, 6);
    // The score is 50 when runtime and capacity, which is against the first discharge, are worth 46 on average.
    const due = start + (365 * day * (1 - 127.5 / (100 / capacity(start + 29.75 * day) + 62.5))) / 0.3;
    const { replacement, score } = bench.health();
    const [earliest, latest] = [replacement.earliest, replacement.latest].map(
      (date) => Date.parse(date ?? '') / 1000,
    );
    expect(score).to.be.within(60, 75);
    expect(earliest).to.be.lessThan(due);
    expect(latest).to.be.greaterThan(due);
    expect(((latest ?? 0) - (earliest ?? 0)) / day).to.be.lessThan(120);
    await bench.restart();
    await live(life, start + 180 * day, 8);
    await bench.restart();
    await live(life, start + 420 * day, 2);
    expect(bench.events.map(({ type }) => type)).to.deep.equal([
      'BATTERY_REPLACEMENT_PREDICTED',
      'BATTERY_HEALTH_WARNING',
      'BATTERY_HEALTH_CRITICAL',
    ]);
    const [predicted] = bench.events;
    expect((due - (predicted?.at ?? 0)) / day).to.be.within(60, 120);
    const truth = capacity(start + 475 * day);
    expect(bench.health().terms.capacity.detail).to.match(new RegExp(`^6[0-9] % `));
    expect(truth).to.be.closeTo(0.61, 0.01);
  });

  it('is 100 for a battery that stays as it is, without an alert', async () => {
    await live(new BatteryLife({ capacity: () => 1, noise: 0.05 }), start, 14);
    expect(bench.health().score).to.be.at.least(95);
    expect(bench.health().replacementDue).to.equal(false);
    expect(bench.events).to.deep.equal([]);
  });

  it('begins a new series when the device reports another date', async () => {
    const life = new BatteryLife({ capacity: (at) => (at < start + 100 * day ? 0.75 : 1) });
    life.batteryDate = '2020-03-01';
    await bench.feed(life.line(start, start + 100 * day));
    expect(bench.health()).to.deep.include({
      installDate: '2020-03-01',
      series: { number: 1, since: start },
    });
    life.batteryDate = '2024-04-10';
    await bench.feed(life.line(start + 100 * day, start + 130 * day));
    const { series, installDate, nominalRuntimeSeconds } = bench.health();
    expect([series.number, installDate]).to.deep.equal([2, '2024-04-10']);
    expect(nominalRuntimeSeconds).to.be.closeTo(newRuntime(20), 60);
  });

  it('prefers the configured date, and begins a new series when that changes', async () => {
    const life = new BatteryLife({ capacity: () => 1 });
    life.batteryDate = '2020-03-01';
    bench.configure({ ...daily, installDate: '2023-01-01' });
    await bench.feed(life.line(start, start + 10 * day));
    expect(bench.health().installDate).to.equal('2023-01-01');
    bench.configure({ ...daily, installDate: '2024-01-12' });
    await bench.feed(life.line(start + 20 * day, start + 25 * day));
    const { series } = bench.health();
    expect(series).to.deep.equal({ number: 2, since: start + 11 * day });
  });

  it('takes a configured date before the begin of the series for a correction of the age', async () => {
    const life = new BatteryLife({ capacity: () => 1 });
    life.batteryDate = '2020-03-01';
    await bench.feed(life.line(start, start + 10 * day));
    for (const [installDate, from] of [
      ['2022-05-01', 10],
      ['2022-06-01', 12],
      ['', 14],
    ] as const) {
      bench.configure({ ...daily, installDate });
      await bench.feed(life.line(start + from * day, start + (from + 2) * day));
      expect(bench.health()).to.deep.include({
        installDate: installDate === '' ? '2020-03-01' : installDate,
        series: { number: 1, since: start },
      });
    }
  });

  it('sees a new battery by the runtime that jumps, and keeps no date of the old one', async () => {
    const capacity = (at: number): number => (at < start + 90 * day ? 0.7 : 1);
    const life = new BatteryLife({ capacity, noise: 0.05 });
    life.batteryDate = '2020-03-01';
    await bench.feed(life.line(start, start + 110 * day));
    const { series, installDate, ageYears } = bench.health();
    expect(series).to.deep.equal({ number: 2, since: start + 90 * day });
    expect([installDate, (ageYears ?? 9) < 0.1]).to.deep.equal(['2024-03-31', true]);
  });

  it('sees a new battery by two discharges where the UPS reports no runtime', async () => {
    const capacity = (at: number): number => (at < start + 120 * day ? 0.65 : 1);
    const life = new BatteryLife({ capacity, reportsRuntime: false });
    await live(life, start, 7);
    expect((await discharges()).map(({ series }) => series)).to.deep.equal([1, 1, 1, 1, 2, 2, 2]);
    expect(bench.health().series.number).to.equal(2);
    expect(bench.health().terms.capacity.value).to.be.at.least(90);
  });

  it('takes no change of the load for one of the battery', async () => {
    const load = (at: number): number => (at < start + 60 * day ? 20 : at < start + 120 * day ? 27 : 45);
    await bench.feed(
      new BatteryLife({ capacity: () => 1, load, noise: 0.03 }).line(start, start + 180 * day),
    );
    const { score, nominalRuntimeSeconds, series, replacement } = bench.health();
    expect([score !== null && score > 93, series.number, replacement.state]).to.deep.equal([true, 1, 'none']);
    expect(nominalRuntimeSeconds).to.be.closeTo(newRuntime(45), 90);
  });

  it('estimates the runtime of a UPS that reports none, within its error', async () => {
    const capacity = (at: number): number => (at < start + 100 * day ? 1 : 0.8);
    await live(new BatteryLife({ capacity, reportsRuntime: false }), start, 6);
    const { runtimeEstimate } = bench.health();
    const truth = newRuntime(20) * 0.8;
    const { fullSeconds = 0, errorSeconds = 0 } = runtimeEstimate ?? {};
    expect(Math.abs(fullSeconds - truth)).to.be.lessThan(errorSeconds);
    expect(errorSeconds).to.be.lessThan(truth / 2);
  });

  it('knows little of a UPS that reports neither charge nor runtime, and says so', async () => {
    await live(new BatteryLife({ capacity: () => 1, reportsCharge: false, reportsRuntime: false }), start, 3);
    const { score, availableTerms, terms, runtimeEstimate } = bench.health();
    // By the voltage: 0.40 of the weight.
    expect(availableTerms).to.deep.equal(['capacity']);
    expect([Math.round(score ?? 0), runtimeEstimate]).to.deep.equal([100, null]);
    expect(terms.runtime.detail).to.match(/no runtime/);
  });

  it('lets no garbage in', async () => {
    const life = new BatteryLife({ capacity: () => 1, noise: 0.02 });
    const values = [0, -5, 1e9, 65_535, 250];
    let place = 0;
    const garbage = [...life.line(start, start + 40 * day)].map((sample) => {
      if ((place += 1) % 3 !== 0) return sample;
      const value = values[place % values.length] ?? 0;
      return {
        ...sampleOf('office', sample.at, {
          charge: value,
          runtime: value,
          load: value,
          battery_voltage: value,
        }),
        status: 'OL',
        batteryDate: '0001-01-01',
      };
    });
    await bench.feed(garbage);
    const { score, replacementDue, ageYears } = bench.health();
    expect([score === null || score > 80, replacementDue, ageYears]).to.deep.equal([true, false, null]);
    expect(await discharges()).to.deep.equal([]);
  });

  it('stores no time on battery below five seconds', async () => {
    const life = new BatteryLife({ capacity: () => 1 });
    await bench.feed(life.line(start, start + 3600));
    for (let blip = 0; blip < 50; blip += 1) {
      const at = start + 4000 + blip * 120;
      await bench.feed(life.battery(at, 4, { step: 1 }));
      await bench.feed(life.line(at + 4, at + 120, 30));
    }
    expect(await discharges()).to.deep.equal([]);
  });

  it('keeps one discharge over an interruption below a minute', async () => {
    const life = new BatteryLife({ capacity: () => 1 });
    await bench.feed(life.line(start, start + 3600));
    await bench.feed(life.battery(start + 3600, 300));
    await bench.feed(life.line(start + 3900, start + 3940, 10));
    await bench.feed(life.battery(start + 3940, 300));
    await bench.feed(life.line(start + 4240, start + 8000, 60));
    const [only, ...others] = await discharges();
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
    expect((await discharges()).map(({ cause }) => cause)).to.deep.equal([
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
    const [only, ...others] = await discharges();
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
    const [only] = await discharges();
    expect(only?.ended).to.be.within((start + 3600 + 270) * 1000, (start + 3900) * 1000);
  });

  it('counts a batch that is sent again once', async () => {
    const life = new BatteryLife({ capacity: () => 1 });
    const samples = [...life.line(start, start + 3600, 60), ...life.battery(start + 3600, 600)];
    await bench.append(samples);
    await bench.append(samples);
    await bench.append([...life.line(start + 4200, start + 6000, 60)]);
    expect((await discharges()).map(({ seconds }) => seconds)).to.deep.equal([590]);
  });

  it('goes on after a clock that was set back, in a discharge too', async () => {
    const life = new BatteryLife({ capacity: () => 1 });
    await bench.feed(life.line(start, start + 20 * day));
    await bench.feed(life.battery(start + 20 * day, 600));
    const back = start + 10 * day;
    await bench.feed(life.battery(back, 600));
    await bench.feed(life.line(back + 600, back + 40 * day));
    const rows = await discharges();
    expect(rows.map(({ seconds }) => seconds)).to.deep.equal([1180]);
    expect(bench.health().ts).to.be.at.least(back + 39 * day);
    expect(bench.health().score).to.be.at.least(95);
  });

  it('follows a clock that is years ahead at first', async () => {
    const life = new BatteryLife({ capacity: () => 1 });
    await bench.feed(life.line(start + 9000 * day, start + 9003 * day));
    await bench.feed(life.line(start, start + 30 * day));
    const { series, score } = bench.health();
    expect(series.since).to.equal(start);
    expect(score).to.be.at.least(95);
  });

  it('lives with thousands of discharges', async () => {
    const life = new BatteryLife({ capacity: () => 1 });
    const flapping = (from: number): readonly SampleRecord[] =>
      Array.from({ length: 500 }, (_, place) => from + place * 600).flatMap((at) => [
        ...life.battery(at, 60),
        ...life.line(at + 60, at + 600, 120),
      ]);
    for (let round = 0; round < 11; round += 1) await bench.feed(flapping(start + round * 500 * 600));
    expect((await discharges()).length).to.equal(5000);
    expect(bench.health().replacementDue).to.equal(false);
  });

  it('begins again when the database is another one', async () => {
    const life = new BatteryLife({ capacity: () => 1 });
    await bench.feed(life.line(start, start + 5 * day));
    await bench.run((db) => db.exec('DELETE FROM battery_state; DELETE FROM battery_days'));
    await bench.reopen();
    await bench.feed(life.line(start + 5 * day, start + 6 * day));
    expect(bench.health().series).to.deep.equal({ number: 1, since: start + 5 * day });
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
    expect((await discharges()).map(({ seconds }) => seconds)).to.deep.equal([110]);
  });

  it('counts anomalies once each, for half a year', async () => {
    const life = new BatteryLife({ capacity: () => 1 });
    await bench.feed(life.line(start, start + 5 * day));
    const anomaly = { type: 'BATTERY_ANOMALY', at: start + 4 * day, source: 'office' } as const;
    await bench.happened(anomaly, { ...anomaly, source: 'not-configured' });
    await bench.happened(anomaly);
    await bench.restart();
    await bench.feed(life.line(start + 5 * day, start + 7 * day));
    expect(bench.health().terms.anomalies.value).to.equal(75);
    await bench.feed(life.line(start + 7 * day, start + 190 * day));
    expect(bench.health().terms.anomalies.value).to.equal(100);
  });

  it('has the verdict of the last self test, and of the UPS', async () => {
    const life = new BatteryLife({ capacity: () => 1 });
    await bench.feed(life.line(start, start + 5 * day));
    const tested = (result: string, at: number): Promise<unknown> =>
      bench.run((db) =>
        db.run(
          `INSERT INTO self_tests (ups, started, ended, command, source, result, raw, date)
           SELECT key, ?, ?, NULL, 'device', ?, '', NULL FROM ups`,
          ...[at, at + 10, result],
        ),
      );
    const value = async (from: number): Promise<number | null> => {
      await bench.feed(life.line(from, from + 2 * day));
      return bench.health().terms.selfTest.value;
    };
    expect(bench.health().terms.selfTest.value).to.equal(null);
    await tested('PASSED', start + 4 * day);
    expect(await value(start + 5 * day)).to.equal(100);
    await tested('FAILED', start + 6 * day);
    expect(await value(start + 7 * day)).to.equal(0);
    await tested('PASSED', start + 8 * day);
    life.flags = 'RB';
    expect(await value(start + 9 * day)).to.equal(0);
    life.flags = '';
    expect(await value(start + 200 * day)).to.equal(null);
  });

  it('does not know a UPS whose battery is not assessed', async () => {
    bench.configure();
    await bench.feed(new BatteryLife({ capacity: () => 1 }).line(start, start + day));
    expect(bench.latest.size).to.equal(0);
    expect(await bench.run((db) => db.number('SELECT count(*) AS value FROM battery_state'))).to.equal(0);
  });

  it('takes the configured runtime for its nominal, also when it is configured later', async () => {
    const life = new BatteryLife({ capacity: () => 0.8 });
    await bench.feed(life.line(start, start + 10 * day));
    expect(bench.health().terms.runtime.value).to.be.closeTo(100, 5);
    bench.configure({ ...daily, nominalRuntimeSeconds: 3600 });
    await bench.feed(life.line(start + 10 * day, start + 12 * day));
    expect(bench.health().terms.runtime.value).to.be.closeTo(50, 5);
    expect(bench.health().nominalRuntimeSeconds).to.equal(3600);
  });
});
