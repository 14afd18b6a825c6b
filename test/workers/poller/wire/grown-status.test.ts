import { expect } from 'chai';
import { isGrown } from '../../../../workers/poller/wire/grown-status.js';

describe('the status of a server', () => {
  it('has grown where it is the one before with more words, and has a word twice', () => {
    for (const [before, now] of [
      ['OL', 'OL OL'],
      ['OL OL', 'CHRG OL OL OL'],
      ['OB DISCHRG OL', 'OB DISCHRG OB DISCHRG OL'],
      ['OB DISCHRG OL ', 'OL OB DISCHRG OL'],
      ['OL OB', 'OL OB OL'],
    ])
      expect(isGrown(before, now), now).to.equal(true);
  });

  it('has not where it changes as that of a driver', () => {
    for (const [before, now] of [
      ['OL', 'OL'],
      ['OL', 'OL CHRG'],
      ['OB', 'LB OB'],
      ['OL OL', 'OL OL'],
      ['OL OL', 'OL'],
      ['OL', 'OB DISCHRG OL'],
      ['L', 'OL OL'],
      ['', 'OL OL'],
      [undefined, 'OL OL'],
      ['OL', undefined],
    ])
      expect(isGrown(before, now), now).to.equal(false);
  });
});
