import { expect } from 'chai';
import { sampleOf } from '../../workers/storage/fixture.js';
import { BatteryBench, daily, start } from '../../workers/storage/battery/bench.js';
import { BatteryLife, day, newRuntime } from '../../workers/storage/battery/battery-life.js';

describe('the health of a battery', () => {
  let bench: BatteryBench;
  beforeEach(() => {
    bench = new BatteryBench();
    bench.configure(daily);
  });
  afterEach(() => bench.end());

  it('follows a battery that dies, tells of it once per tier, and in time', async () => {
    const capacity = (at: number): number => 1 - (0.3 * (at - start)) / (365 * day);
    const life = new BatteryLife({ capacity, noise: 0.03 });
    await bench.live(life, start, 6);
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
    await bench.live(life, start + 180 * day, 8);
    await bench.restart();
    await bench.live(life, start + 420 * day, 2);
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
    await bench.live(new BatteryLife({ capacity: () => 1, noise: 0.05 }), start, 14);
    expect(bench.health().score).to.be.at.least(95);
    expect(bench.health().replacementDue).to.equal(false);
    expect(bench.events).to.deep.equal([]);
  });

  it('estimates the runtime of a UPS that reports none, within its error', async () => {
    const capacity = (at: number): number => (at < start + 100 * day ? 1 : 0.8);
    await bench.live(new BatteryLife({ capacity, reportsRuntime: false }), start, 6);
    const { runtimeEstimate } = bench.health();
    const truth = newRuntime(20) * 0.8;
    const { fullSeconds = 0, errorSeconds = 0 } = runtimeEstimate ?? {};
    expect(Math.abs(fullSeconds - truth)).to.be.lessThan(errorSeconds);
    expect(errorSeconds).to.be.lessThan(truth / 2);
  });

  it('knows little of a UPS that reports neither charge nor runtime, and says so', async () => {
    await bench.live(
      new BatteryLife({ capacity: () => 1, reportsCharge: false, reportsRuntime: false }),
      start,
      3,
    );
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
    expect(await bench.discharges()).to.deep.equal([]);
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
});
