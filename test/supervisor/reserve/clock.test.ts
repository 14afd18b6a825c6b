import { expect } from 'chai';
import { advanced } from '../../../supervisor/reserve/clock.js';

describe('the clock of the reserve', () => {
  const clock = { atMs: 10_000, askedMs: 9_900, watchedMs: 500, lookingMs: 100 };
  const after = (ms: number) => advanced(clock, 10_000 + ms);

  it('advances with its inputs and never goes back', () => {
    expect(after(250)).to.deep.equal({ atMs: 10_250, askedMs: 9_900, watchedMs: 750, lookingMs: 100 });
    expect(after(-1_000)).to.deep.equal(clock);
  });

  it('counts at most a second of a gap as watched', () => {
    const watched = [999, 1_000, 1_001, 3_600_000].map((ms) => after(ms).watchedMs - 500);
    expect(watched).to.deep.equal([999, 1_000, 1_000, 1_000]);
  });

  it('looks for silence again after a gap of more than 15 s', () => {
    expect([after(15_000).lookingMs, after(15_001).lookingMs]).to.deep.equal([100, 1_500]);
  });
});
