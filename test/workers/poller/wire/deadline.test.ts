import { expect } from 'chai';
import { Deadline } from '../../../../workers/poller/wire/deadline.js';

describe('a deadline of a poll', () => {
  it('is in whole milliseconds, even as a remainder', () => {
    const whole = new Deadline(1009.39);
    expect(whole.totalMs).to.equal(1010);
    expect(new Deadline(whole.remainingMs).totalMs).to.be.within(1, 1010).and.satisfy(Number.isInteger);
  });
});
