import { expect } from 'chai';
import { checkGrowth } from './soak/growth.js';
import { isFlat, slopeOf } from './soak/slope.js';

describe('the slope of what a process holds', () => {
  const hours = Array.from({ length: 73 }, (_, index) => 6 + index / 4);
  /** Without randomness: two waves that no whole number of samples fits into. */
  const noise = (hour: number): number => Math.sin(hour * 7.3) + Math.cos(hour * 3.1);
  const samples = (value: (hour: number) => number) => hours.map((hour) => ({ hour, value: value(hour) }));

  it('is that of a straight line, without an error', () => {
    const { perHour, error, mean } = slopeOf(samples((hour) => 40 + 0.5 * hour));
    expect(perHour).to.be.closeTo(0.5, 1e-9);
    expect(error).to.be.closeTo(0, 1e-9);
    expect(mean).to.be.closeTo(47.5, 1e-9);
  });

  it('is found in noise that is larger than what grows in an hour', () => {
    const slope = slopeOf(samples((hour) => 40 + 0.2 * hour + noise(hour)));
    expect(slope.perHour).to.be.closeTo(0.2, 3 * slope.error);
    expect(isFlat(slope)).to.equal(false);
  });

  it('is flat where there is nothing but noise', () => {
    expect(isFlat(slopeOf(samples(noise)))).to.equal(true);
  });

  it('is flat where it falls', () => {
    expect(isFlat(slopeOf(samples((hour) => 40 - hour)))).to.equal(true);
  });

  it('is not flat where too little is known', () => {
    expect(isFlat(slopeOf([{ hour: 1, value: 40 }]))).to.equal(false);
  });

  it('is that of a known example', () => {
    // Means 2.5 and 5, sums of squares 5 and 8: the residuals -0.6, 0.8, 0.2 and -0.4 have 1.2 together.
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

describe('what was held over the hours', () => {
  const held = (value: (hour: number) => number, count = 240) => ({
    name: 'api: memory',
    unit: 'MB' as const,
    samples: Array.from({ length: count }, (_, index) => ({ hour: index / 10, value: value(index / 10) })),
  });

  it('is told by the means of its last three quarters, and grows where the line does', () => {
    const { figures, growing } = checkGrowth([held((hour) => 40 + 0.4 * hour)], 24);
    expect(growing).to.deep.equal(['api: memory']);
    expect(figures[0]).to.deep.equal({
      what: 'api: memory',
      value: '43.58, 45.98, 48.38 MB +0.4000 ± 0.0000 per hour',
      against: 'GROWS',
    });
  });

  it('is a cache that fills, where one is known and the growth is less', () => {
    const storage = (perHour: number) =>
      checkGrowth([{ ...held((hour) => 24 + perHour * hour), name: 'storage: memory' }], 24);
    expect(storage(0.3).growing).to.deep.equal([]);
    expect(storage(0.3).figures[0]?.against).to.equal('fills a cache of 16 MB');
    expect(storage(3).growing).to.deep.equal(['storage: memory']);
  });

  it('says nothing of what was there for a moment only', () => {
    const { figures, growing } = checkGrowth([held((hour) => 40 + hour, 3)], 24);
    expect(growing).to.deep.equal([]);
    expect(figures[0]?.against).to.equal('unknown');
  });
});
