import { expect } from 'chai';
import { BatteryBench, daily, start } from '../../workers/storage/battery/bench.js';
import { BatteryLife, day, newRuntime } from '../../workers/storage/battery/battery-life.js';

describe('the series of a battery', () => {
  let bench: BatteryBench;
  beforeEach(() => {
    bench = new BatteryBench();
    bench.configure(daily);
  });
  afterEach(() => bench.end());

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
    await bench.live(life, start, 7);
    expect((await bench.discharges()).map(({ series }) => series)).to.deep.equal([1, 1, 1, 1, 2, 2, 2]);
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

  it('takes no change of a small load for one of the battery', async () => {
    // The UPS consumes as much as a load of 4 % itself, so that twice a small load is not 2.3 times less runtime.
    const runtime = (load: number): number => 14_400 / (load + 4);
    for (const [first, second] of [
      [6, 12],
      [12, 6],
      [1, 6],
    ] as const) {
      const load = (at: number): number => (at < start + 30 * day ? first : second);
      const capacity = (at: number): number => runtime(load(at)) / newRuntime(load(at));
      const life = new BatteryLife({ groupId: `from ${String(first)}`, capacity, load });
      life.batteryDate = '2022-03-01';
      bench.configure({ ...daily, groupId: `from ${String(first)}` });
      await bench.feed(life.line(start, start + 45 * day));
      const { installDate, series, score } = bench.health(`from ${String(first)}`);
      expect([installDate, series.number, (score ?? 0) > 90], `from ${String(first)}`).to.deep.equal([
        '2022-03-01',
        1,
        true,
      ]);
    }
  });

  it('follows a clock that is years ahead at first', async () => {
    const life = new BatteryLife({ capacity: () => 1 });
    await bench.feed(life.line(start + 9000 * day, start + 9003 * day));
    await bench.feed(life.line(start, start + 30 * day));
    const { series, score } = bench.health();
    expect(series.since).to.equal(start);
    expect(score).to.be.at.least(95);
  });

  it('begins again when the database is another one', async () => {
    const life = new BatteryLife({ capacity: () => 1 });
    await bench.feed(life.line(start, start + 5 * day));
    await bench.run((db) => db.exec('DELETE FROM battery_state; DELETE FROM battery_days'));
    await bench.reopen();
    await bench.feed(life.line(start + 5 * day, start + 6 * day));
    expect(bench.health().series).to.deep.equal({ number: 1, since: start + 5 * day });
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
