import { expect } from 'chai';
import fc from 'fast-check';
import { metrics } from '../../../../shared/domain/status/metrics.js';
import type { ImportedBucket } from '../../../../shared/protocol/history-import.js';
import {
  ImportedBucket as Bucket,
  importedBucketSeconds,
} from '../../../../shared/protocol/history-import.js';
import { Buckets } from '../../../../scripts/commands/import/buckets.js';

const now = 1_700_000_123;
const hour = 3600;
const day = 24 * hour;
const retention = { rawHours: 24, fiveMinuteDays: 30, hourlyDays: 365 };
const values = (charge: number | null) => metrics.map((_, index) => (index === 0 ? charge : null));

function filled(readings: readonly (readonly [number, number | null])[]) {
  const emitted: ImportedBucket[] = [];
  const buckets = new Buckets(retention, now, (bucket) => emitted.push(bucket));
  for (const [at, charge] of readings) buckets.reading(at, values(charge));
  buckets.close();
  return { emitted, leftOut: buckets.leftOut };
}

describe('readings of an import', () => {
  it('go to the tier of their age', () => {
    const at = (seconds: number) => Math.floor((now - seconds) / hour) * hour;
    const { emitted, leftOut } = filled([
      [at(400 * day), 1],
      [at(100 * day) + 10, 10],
      [at(100 * day) + 3590, 20],
      [at(10 * day) + 299, 40],
      [at(10 * day) + 300, 50],
      [at(hour) + 7, 60],
      [at(hour) + 8, null],
      [now, 70],
      [now + 1, 80],
    ]);
    expect(emitted.slice(0, 3)).to.deep.equal([
      { tier: 'hourly', at: at(100 * day), rows: [[0, 2, 15, 10, 20]] },
      { tier: 'five_minute', at: at(10 * day), rows: [[0, 1, 40, 40, 40]] },
      { tier: 'five_minute', at: at(10 * day) + 300, rows: [[0, 1, 50, 50, 50]] },
    ]);
    expect(
      emitted.slice(3).map(({ tier, rows }) => [tier, rows.map(([offset, charge]) => [offset, charge])]),
    ).to.deep.equal([
      [
        'raw',
        [
          [7, 60],
          [8, null],
        ],
      ],
      ['raw', [[now % 300, 70]]],
    ]);
    expect(leftOut).to.deep.equal({ older: 1, future: 1, repeated: 0 });
  });

  it('go to the newer tier in its first second', () => {
    const first = Math.ceil((now - day) / hour) * hour;
    const { emitted } = filled([
      [first - 1, 1],
      [first, 2],
    ]);
    expect(emitted.map(({ tier }) => tier)).to.deep.equal(['five_minute', 'raw']);
  });

  it('of a clock that was set back are not added twice', () => {
    const start = Math.floor((now - 5 * hour) / 300) * 300;
    const { emitted, leftOut } = filled([
      [start, 1],
      [start + 300, 2],
      [start + 600, 3],
      [start + 10, 4],
      [start + 310, 5],
      [start + 620, 6],
      [start + 620, 7],
      [start + 900, 8],
      [start + 900, 9],
    ]);
    expect(emitted.map(({ at }) => at - start)).to.deep.equal([0, 300, 600, 900]);
    expect(leftOut).to.deep.equal({ older: 0, future: 0, repeated: 5 });
    expect(emitted.at(-1)?.rows).to.have.lengthOf(1);
  });

  it('are each added once or counted, whatever their order, and every bucket is in its form', () => {
    const at = fc.integer({ min: now - 370 * day, max: now + day });
    const near = fc.integer({ min: now - 2000, max: now });
    const charge = fc.option(fc.double({ min: 0, max: 110, noNaN: true }));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.oneof(at, near), charge), { maxLength: 300 }), (readings) => {
        const { emitted, leftOut } = filled(readings);
        const seen = new Set<number>();
        let kept = 0;
        for (const bucket of emitted) {
          expect(Bucket.is(bucket)).to.equal(true);
          for (let cell = bucket.at; cell < bucket.at + importedBucketSeconds[bucket.tier]; cell += 300) {
            expect(seen.has(cell)).to.equal(false);
            seen.add(cell);
          }
          kept += bucket.tier === 'raw' ? bucket.rows.length : (bucket.rows[0]?.[1] ?? 0);
        }
        const out = leftOut.older + leftOut.future + leftOut.repeated;
        // A mean has no reading without a value.
        const withoutValue = readings.filter(([, value]) => value === null).length;
        expect(kept + out).to.be.within(readings.length - withoutValue, readings.length);
      }),
    );
  });

  it('give means that lie between their extremes', () => {
    const start = Math.floor((now - 10 * day) / 300) * 300;
    const { emitted } = filled(Array.from({ length: 299 }, (_, index) => [start + index, 0.1] as const));
    expect(emitted.every((bucket) => Bucket.is(bucket))).to.equal(true);
  });

  it('of another program’s means go to the tier of their width, unless a finer one has the time', () => {
    const emitted: ImportedBucket[] = [];
    const buckets = new Buckets(retention, now, (bucket) => emitted.push(bucket));
    const start = Math.floor((now - 5 * day) / hour) * hour;
    const rows = [[0, 5, 50, 40, 60]];
    buckets.reading(start, values(1));
    buckets.mean(300, start, rows);
    buckets.mean(300, start + 300, rows);
    buckets.mean(3600, start, rows);
    buckets.mean(3600, start - hour, rows);
    buckets.mean(3600, start - 2 * hour, []);
    buckets.mean(300, start - 60 * day, rows);
    buckets.mean(3600, start - 400 * day, rows);
    buckets.mean(3600, start + 20 * day, rows);
    expect(emitted.map(({ tier, at }) => [tier, at - start])).to.deep.equal([
      ['five_minute', 0],
      ['five_minute', 300],
      ['hourly', -hour],
    ]);
    expect(buckets.leftOut).to.deep.equal({ older: 1, future: 1, repeated: 0 });
  });
});
