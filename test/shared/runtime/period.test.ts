import { expect } from 'chai';
import { afterPollsMs, untilNextMs } from '../../../shared/runtime/period.js';

describe('the next moment of a period', () => {
  const wait = (periodMs: number, ms: number) => untilNextMs(periodMs, ms + afterPollsMs);

  it('is its next multiple, when polls have arrived', () => {
    expect([wait(1_000, 5_000.5), wait(1_000, 5_700)]).to.deep.equal([1_000, 300]);
  });

  it('is not the same again for a timer that was early', () => {
    expect(wait(1_000, 5_999.6)).to.equal(1_001);
  });

  it('is the one after the next if that comes within a quarter', () => {
    expect([wait(1_000, 5_750), wait(1_000, 5_751)]).to.deep.equal([1_250, 1_249]);
  });

  it('is never later than a period and a quarter', () => {
    for (let now = 0; now < 2_000; now += 7.3) {
      const ms = wait(500, now);
      expect(ms, String(now)).to.be.within(125, 626);
      expect((now + ms) % 500, String(now)).to.be.below(1);
    }
  });
});
