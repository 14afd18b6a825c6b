import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Retention } from '../../../../shared/protocol/storage.js';
import { ReadPool } from '../../../../workers/api/history/read-pool.js';
import type { Series, SeriesQuery } from '../../../../workers/api/history/series.js';
import { readSeries } from '../../../../workers/api/history/series.js';
import { nativeSeconds } from '../../../../workers/api/history/tiers.js';
import { rollUp } from '../../../../workers/storage/rollup.js';
import { SampleWriter } from '../../../../workers/storage/samples.js';
import { Bench, sampleOf } from '../../storage/fixture.js';

const hour = 3600;
const now = 1_700_000_000;
const retention: Retention = { rawHours: 2, fiveMinuteDays: 1, hourlyDays: 30 };
const calm = { signal: new AbortController().signal, deadlineMs: 10_000 };

interface Given {
  readonly at: number;
  readonly charge: number;
}

/** A database with these samples, rolled up as of `rolledAt`; newer ones are raw, and those not older than it not moved yet. */
async function filled(samples: readonly Given[], rolledAt: number): Promise<Bench> {
  const bench = new Bench();
  const append = (some: readonly Given[]) =>
    bench.run((db) =>
      new SampleWriter().append(
        db,
        some.map(({ at, charge }) => sampleOf('office', at, { charge })),
      ),
    );
  await append(samples.filter(({ at }) => at < rolledAt));
  while (await bench.run((db) => rollUp(db, rolledAt)));
  await append(samples.filter(({ at }) => at >= rolledAt));
  return bench;
}

async function ask(bench: Bench, query: Partial<SeriesQuery>, kept = retention): Promise<Series> {
  const pool = new ReadPool(bench.path);
  const whole = {
    groupId: 'office',
    metric: 'charge',
    from: null,
    to: null,
    points: 1000,
    ...query,
  } as const;
  const outcome = await readSeries(pool, whole, kept, now, calm);
  await pool.close();
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.value;
}

/** The expected result: every sample counts at the start of its finest row. */
function naive(
  samples: readonly Given[],
  series: Series,
  marks: { fine: number; coarse: number },
): unknown[] {
  const { from, to, tier, stepSeconds } = series;
  const native = nativeSeconds[tier];
  const place = (second: number): number => {
    if (tier === 'hourly' && second < marks.coarse) return second - (second % hour);
    if (tier !== 'raw' && second < marks.fine) return second - (second % 300);
    return second;
  };
  const first = Math.max(from, now - retention.hourlyDays * 24 * hour);
  const buckets = new Map<number, number[]>();
  for (const { at, charge } of samples) {
    const second = place(Math.floor(at));
    if (second < first - (first % native) || second > Math.min(to, now)) continue;
    const start = Math.max(first, second - (second % stepSeconds));
    buckets.set(start, [...(buckets.get(start) ?? []), charge]);
  }
  return [...buckets]
    .sort(([a], [b]) => a - b)
    .map(([ts, values]) => ({
      ts,
      value: Number((values.reduce((sum, one) => sum + one, 0) / values.length).toFixed(4)),
      min: Math.min(...values),
      max: Math.max(...values),
    }));
}

describe('the history of a metric', () => {
  it('aggregates its samples correctly for every tier, window and number of points', async () => {
    const sample = fc.record({
      // Unique times; dense in the last hours, sparse before.
      at: fc
        .oneof(fc.nat({ max: 3 * hour * 1000 }), fc.nat({ max: 40 * hour * 1000 }))
        .map((ageMs) => now - ageMs / 1000),
      charge: fc.nat({ max: 10_000 }).map((stored) => stored / 100),
    });
    const query = fc.record({
      from: fc.oneof(fc.nat({ max: 3 * hour }), fc.nat({ max: 45 * hour })).map((age) => now - age),
      length: fc.oneof(fc.nat({ max: 600 }), fc.nat({ max: 45 * hour })),
      points: fc.integer({ min: 10, max: 60 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(sample, { maxLength: 300, selector: ({ at }) => Math.floor(at * 1000) }),
        fc.array(query, { minLength: 1, maxLength: 6 }),
        fc.nat({ max: 5 * hour }),
        async (samples, queries, behind) => {
          const bench = await filled(samples, now - behind);
          try {
            const marks = await bench.run(async (db) => ({
              fine: await db.number('SELECT ifnull(max(five_minute_until), 0) AS value FROM ups'),
              coarse: await db.number('SELECT ifnull(max(hourly_until), 0) AS value FROM ups'),
            }));
            for (const { from, length, points } of queries) {
              const series = await ask(bench, { from, to: from + length, points });
              expect(series).to.include({ from, to: from + length });
              expect(series.data.length).to.be.at.most(points);
              expect(series.stepSeconds % nativeSeconds[series.tier]).to.equal(0);
              expect(series.data).to.deep.equal(naive(samples, series, marks));
            }
          } finally {
            await bench.end();
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('returns raw samples when they are no more than the points', async () => {
    const bench = await filled(
      [
        { at: now - 100.7, charge: 90 },
        { at: now - 50, charge: 80.25 },
      ],
      now,
    );
    const series = await ask(bench, { from: now - 600, points: 10 });
    expect(series).to.deep.equal({
      from: now - 600,
      to: now,
      tier: 'raw',
      stepSeconds: 1,
      data: [
        { ts: now - 101, value: 90, min: 90, max: 90 },
        { ts: now - 50, value: 80.25, min: 80.25, max: 80.25 },
      ],
    });
    await bench.end();
  });

  it('keeps peaks, weights by count and leaves gaps out', async () => {
    const flat = Array.from({ length: 3000 }, (_, second) => ({ at: now - 6000 + second, charge: 100 }));
    flat[1500] = { at: now - 4500, charge: 3 };
    const bench = await filled(flat, now);
    const series = await ask(bench, { from: now - 6000, points: 20 });
    expect(series.data.length).to.be.at.most(11);
    expect(Math.min(...series.data.map(({ min }) => min))).to.equal(3);
    expect(series.data.filter(({ value }) => value < 100)).to.have.lengthOf(1);
    expect(series.data.every(({ ts }) => ts < now - 2990)).to.equal(true);
    await bench.end();
  });

  it('starts at the hourly horizon by default, and is empty for an unknown UPS', async () => {
    const bench = await filled([{ at: now - 5, charge: 50 }], now);
    const series = await ask(bench, {});
    expect(series).to.include({ from: now - 30 * 24 * hour, to: now, tier: 'hourly' });
    expect(series.data).to.deep.equal([{ ts: now - 5 - ((now - 5) % hour), value: 50, min: 50, max: 50 }]);
    expect((await ask(bench, { groupId: 'nobody' })).data).to.deep.equal([]);
    await bench.end();
  });

  it('is not coarser for a start before the first sample or an end in the future', async () => {
    const bench = await filled(
      Array.from({ length: 48 }, (_, index) => ({ at: now - index * hour, charge: index })),
      now,
    );
    const series = await ask(bench, { from: 0, to: now * 2, points: 1000 });
    expect(series).to.include({ from: 0, to: now * 2, stepSeconds: hour });
    expect(series.data).to.have.lengthOf(48);
    await bench.end();
  });

  it('is not coarser because a roll-up is late', async () => {
    const samples = [5, 10, 4000].map((age) => ({ at: now - age, charge: 50 }));
    const bench = await filled(samples, 0);
    for (const [from, native] of [
      [now - 5 * hour, 300],
      [null, hour],
    ] as const) {
      const series = await ask(bench, { from, points: 10 });
      expect([series.stepSeconds, series.data.length]).to.deep.equal([native, 2]);
    }
    await bench.end();
  });

  it('is of the coarser tier where a raised retention is not filled yet', async () => {
    const samples = Array.from({ length: 40 * 12 }, (_, step) => ({ at: now - step * 300, charge: 50 }));
    const bench = await filled(samples, now);
    await bench.run((db) => db.run('DELETE FROM samples WHERE ts < ?', (now - 2 * hour) * 1000));
    await bench.run((db) => db.run('DELETE FROM five_minute WHERE ts < ?', now - 24 * hour));
    const raised: Retention = { rawHours: 168, fiveMinuteDays: 30, hourlyDays: 30 };
    for (const [hours, tier, native] of [
      [1, 'raw', 1],
      [10, '5min', 300],
      [36, 'hourly', hour],
    ] as const) {
      const from = now - hours * hour;
      const series = await ask(bench, { from }, raised);
      expect([series.tier, series.stepSeconds]).to.deep.equal([tier, native]);
      expect(series.data[0]?.ts).to.be.within(from, from + 300);
    }
    await bench.end();
  });

  it('has a name and a unit for each metric', async () => {
    const bench = new Bench();
    const given = { runtime: 1234, voltage: 229.87, real_power: 421.5, depletion: 0.125, temperature: -5.5 };
    await bench.run((db) => new SampleWriter().append(db, [sampleOf('office', now - 10 * hour, given)]));
    while (await bench.run((db) => rollUp(db, now)));
    for (const from of [now - 11 * hour, now - 29 * 24 * hour])
      for (const [metric, value] of Object.entries(given)) {
        const series = await ask(bench, { metric: metric as SeriesQuery['metric'], from });
        expect(series.data.map((point) => [point.value, point.min, point.max])).to.deep.equal([
          [value, value, value],
        ]);
      }
    await bench.end();
  });
});
