import { expect } from 'chai';
import { backoffMs } from '../../../../shared/domain/base/backoff.js';

describe('the backoff', () => {
  it('doubles with each failure, up to the maximum', () => {
    expect([1, 2, 3, 4, 5].map((failures) => backoffMs(failures, 1000, 10_000))).to.deep.equal([
      1000, 2000, 4000, 8000, 10_000,
    ]);
  });

  it('stays a number after a year of failures, also without a first pause', () => {
    expect(backoffMs(1e7, 1000, 60_000)).to.equal(60_000);
    expect(backoffMs(1e7, 0, 60_000)).to.equal(0);
  });
});
