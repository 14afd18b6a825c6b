import { expect } from 'chai';
import type { EnergyCounted } from '../../../../shared/protocol/energy-counted.js';
import type { SampleRecord } from '../../../../shared/protocol/storage.js';
import { EnergyCounter } from '../../../../workers/storage/energy/counter.js';
import { SampleWriter } from '../../../../workers/storage/samples.js';
import { Bench, sampleOf } from '../fixture.js';

/** Noon, local, far from the ends of a month. */
const noon = new Date(2026, 5, 15, 12).getTime() / 1000;

const drawing = (watts: number, from: number, seconds: number, ups = 'office'): readonly SampleRecord[] =>
  Array.from({ length: seconds / 10 + 1 }, (_, step) => ({
    ...sampleOf(ups, from + step * 10, { load: 40 }),
    power: { watts, estimated: 0 },
  }));

describe('the energy counter', () => {
  let bench: Bench;
  let counter: EnergyCounter;

  beforeEach(() => {
    bench = new Bench();
    counter = new EnergyCounter();
  });
  afterEach(() => bench.end());

  /** As the worker does with a flush. */
  const flush = (samples: readonly SampleRecord[]) =>
    bench.run(async (db) => {
      const stored = await new SampleWriter().append(db, samples);
      await counter.count(db, samples, stored === samples.length);
    });
  const write = (at: number): Promise<EnergyCounted> => bench.run((db) => counter.write(db, at * 1000));
  const office = async (at: number) => {
    const { ups } = await write(at);
    const found = ups.find(({ groupId }) => groupId === 'office');
    if (found === undefined) throw new Error('nothing was counted');
    return found;
  };

  it('sums the day, the month and the year, and all of it', async () => {
    const [yesterday, lastMonth] = [noon - 86_400, noon - 31 * 86_400];
    const lastYear = noon - 365 * 86_400;
    for (const from of [lastYear, lastMonth, yesterday, noon]) await flush(drawing(3600, from, 1000));
    const { todayKwh, monthKwh, yearKwh, totalKwh } = await office(noon + 1000);
    expect([todayKwh, monthKwh, yearKwh, totalKwh]).to.deep.equal([1, 2, 3, 4]);
  });

  it('counts a batch that is sent again once', async () => {
    const batch = drawing(3600, noon, 1000);
    await flush(batch);
    await flush(batch);
    await flush([...batch, ...drawing(3600, noon + 1010, 990)]);
    expect((await office(noon + 2000)).todayKwh).to.equal(2);
  });

  it('loses nothing when the worker is killed before it has written the sums', async () => {
    await flush(drawing(3600, noon, 500));
    await write(noon + 500);
    await flush(drawing(3600, noon + 510, 50));
    counter = new EnergyCounter();
    await bench.reopen();
    // The supervisor repeats what was not acknowledged.
    await flush(drawing(3600, noon + 510, 490));
    expect((await office(noon + 1000)).todayKwh).to.equal(1);
  });

  it('never lets the total fall, and reports the same sums after a restart', async () => {
    await flush(drawing(3600, noon, 1000));
    const before = await write(noon + 1000);
    counter = new EnergyCounter();
    await bench.reopen();
    expect(await write(noon + 1000)).to.deep.equal(before);
    expect(await write(noon + 1000)).to.deep.equal(before);
  });

  it('continues after the clock was set back', async () => {
    await flush(drawing(3600, noon, 1000));
    await flush(drawing(3600, noon - 3605, 1000));
    expect((await office(noon)).todayKwh).to.equal(2);
  });

  it('skips a gap, and says that the sum is partial', async () => {
    await flush(drawing(3600, noon, 1000));
    expect((await office(noon + 1060)).partial).to.equal(false);
    await flush(drawing(3600, noon + 2000, 1000));
    const { todayKwh, partial } = await office(noon + 3000);
    expect([todayKwh, partial]).to.deep.equal([2, true]);
  });

  it('keeps UPSes apart, and counts none whose power is unknown', async () => {
    await flush([
      ...drawing(3600, noon, 1000),
      ...drawing(7200, noon, 1000, 'rack'),
      sampleOf('attic', noon, { charge: 100 }),
    ]);
    const { ups } = await write(noon + 1000);
    expect(ups.map(({ groupId, todayKwh }) => [groupId, todayKwh])).to.deep.equal([
      ['office', 1],
      ['rack', 2],
    ]);
  });
});
