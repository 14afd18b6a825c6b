import { expect } from 'chai';
import { pageCacheMb } from '../../workers/storage/open-database.js';
import { checkGrowth } from './soak/growth.js';
import { isFlat, slopeOf } from './soak/slope.js';

describe('the slope of a quantity', () => {
  const hours = Array.from({ length: 73 }, (_, index) => 6 + index / 4);
  /** Deterministic noise: two waves whose periods are no multiple of the sample interval. */
  const noise = (hour: number): number => Math.sin(hour * 7.3) + Math.cos(hour * 3.1);
  const samples = (value: (hour: number) => number) => hours.map((hour) => ({ hour, value: value(hour) }));

  it('is exact for a straight line', () => {
    const { perHour, error, mean } = slopeOf(samples((hour) => 40 + 0.5 * hour));
    expect(perHour).to.be.closeTo(0.5, 1e-9);
    expect(error).to.be.closeTo(0, 1e-9);
    expect(mean).to.be.closeTo(47.5, 1e-9);
  });

  it('is found in noise larger than the growth of an hour', () => {
    const slope = slopeOf(samples((hour) => 40 + 0.2 * hour + noise(hour)));
    expect(slope.perHour).to.be.closeTo(0.2, 3 * slope.error);
    expect(isFlat(slope)).to.equal(false);
  });

  it('is flat for noise alone', () => {
    expect(isFlat(slopeOf(samples(noise)))).to.equal(true);
  });

  it('is flat for a falling quantity', () => {
    expect(isFlat(slopeOf(samples((hour) => 40 - hour)))).to.equal(true);
  });

  it('is not flat with too few samples', () => {
    expect(isFlat(slopeOf([{ hour: 1, value: 40 }]))).to.equal(false);
  });

  it('matches a known example', () => {
    // Means 2.5 and 5, sums of squares 5 and 8; the residuals -0.6, 0.8, 0.2 and -0.4 have the square sum 1.2.
    const { perHour, error } = slopeOf([
      { hour: 1, value: 2 },
      { hour: 2, value: 5 },
      { hour: 3, value: 6 },
      { hour: 4, value: 7 },
    ]);
    expect(perHour).to.be.closeTo(1.6, 1e-9);
    expect(error).to.be.closeTo(Math.sqrt(1.2 / 2 / 5), 1e-9);
  });
});

describe('the growth over the hours of the soak', () => {
  const held = (value: (hour: number) => number, count = 240) => ({
    name: 'api: memory',
    unit: 'MB' as const,
    samples: Array.from({ length: count }, (_, index) => ({ hour: index / 10, value: value(index / 10) })),
  });

  it('shows the means of the last three quarters, and reports a growing line', () => {
    const { figures, growing } = checkGrowth([held((hour) => 40 + 0.4 * hour)], 24);
    expect(growing).to.deep.equal(['api: memory']);
    expect(figures[0]).to.deep.equal({
      what: 'api: memory',
      value: '43.58, 45.98, 48.38 MB +0.4000 ± 0.0000 per hour',
      against: 'GROWS',
    });
  });

  it('is a filling cache where one is known and the growth is within its size', () => {
    const storage = (perHour: number) =>
      checkGrowth([{ ...held((hour) => 24 + perHour * hour), name: 'storage: memory' }], 24);
    expect(storage(0.3).growing).to.deep.equal([]);
    expect(storage(0.3).figures[0]?.against).to.equal(`fills a cache of ${String(pageCacheMb)} MB`);
    expect(storage(3).growing).to.deep.equal(['storage: memory']);
  });

  it('ignores quantities with too few samples', () => {
    const { figures, growing } = checkGrowth([held((hour) => 40 + hour, 3)], 24);
    expect(growing).to.deep.equal([]);
    expect(figures[0]?.against).to.equal('unknown');
  });
});
