import { expect } from 'chai';
import * as fc from 'fast-check';
import type { Tier } from '../../../../workers/api/history/tiers.js';
import { bucketSeconds, tierFor } from '../../../../workers/api/history/tiers.js';

const now = 1_700_000_000;
const retention = { rawHours: 24, fiveMinuteDays: 30, hourlyDays: 1825 };
const day = 86_400;

describe('the tier of a window', () => {
  const cases: readonly (readonly [string, number, Tier])[] = [
    ['the last hour', now - 3600, 'raw'],
    ['the last 24 hours', now - day, 'raw'],
    ['the last 24 hours, asked for a little late', now - day - 30, 'raw'],
    ['25 hours', now - 25 * 3600, '5min'],
    ['30 days', now - 30 * day, '5min'],
    ['31 days', now - 31 * day, 'hourly'],
    ['five years', now - 1825 * day, 'hourly'],
    ['the future', now + day, 'raw'],
  ];
  for (const [name, from, tier] of cases)
    it(`is ${tier} for ${name}`, () => {
      expect(tierFor(from, now, retention)).to.equal(tier);
    });
});

describe('the width of a bucket', () => {
  it('is the smallest multiple of the row width that yields at most the requested points', () => {
    const window = fc.record({
      from: fc.nat({ max: 2_000_000_000 }),
      length: fc.nat({ max: 160_000_000 }),
      points: fc.integer({ min: 10, max: 5000 }),
      native: fc.constantFrom(1, 300, 3600),
    });
    fc.assert(
      fc.property(window, ({ from, length, points, native }) => {
        const to = from + length;
        const width = bucketSeconds(from, to, points, native);
        const touched = (seconds: number): number =>
          Math.floor(to / seconds) - Math.floor(from / seconds) + 1;
        expect(width % native).to.equal(0);
        expect(touched(width)).to.be.at.most(points);
        if (width > native) expect((to - from + 1) / (width - native)).to.be.above(points - 2);
      }),
    );
  });
});
