import { expect } from 'chai';
import { checkPolls } from './load/polls.js';

describe('the polls of a fleet', () => {
  const window = { fromMs: 10_000, toMs: 15_000 };
  const check = (...arrivals: readonly (readonly number[])[]) =>
    checkPolls(new Map(arrivals.map((times, index) => [`ups${String(index)}`, times])), window, 1_000);

  it('are complete with one in each second', () => {
    const figures = check([10_400, 11_400, 12_400, 13_400, 14_400], [10_000, 11_000, 12_000, 13_000, 14_000]);
    expect(figures).to.include({ ups: 2, expected: 10, done: 10, skipped: 0 });
    expect(figures.lateMs).to.deep.equal([0, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('are late by the excess over the interval, and shift all later ones', () => {
    const figures = check([10_900, 12_000, 13_250, 14_250]);
    expect(figures).to.include({ expected: 5, done: 4, skipped: 0 });
    expect(figures.lateMs).to.deep.equal([100, 250, 0]);
  });

  it('count as skipped after two seconds without one, also at the edges of the window', () => {
    const figures = check(
      [10_100, 12_100, 13_100, 14_100],
      [10_100, 11_100, 12_100],
      [12_000, 13_000, 14_000],
    );
    expect(figures.skipped).to.equal(3);
    expect(figures.upsWithSkips).to.deep.equal(['ups0', 'ups1', 'ups2']);
  });

  it('count as skipped for a UPS that is never polled', () => {
    expect(check([])).to.include({ expected: 5, done: 0, skipped: 4 });
  });

  it('outside of the window do not count', () => {
    expect(check([9_000, 9_999, 10_999, 11_999, 12_999, 13_999, 14_999, 15_999])).to.include({ done: 5 });
  });
});
