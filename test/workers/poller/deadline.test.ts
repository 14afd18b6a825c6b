import { expect } from 'chai';
import { Deadline } from '../../../workers/poller/deadline.js';

describe('a deadline', () => {
  it('is told in whole milliseconds, also where it is what another has left', () => {
    const whole = new Deadline(1009.39);
    expect(whole.totalMs).to.equal(1010);
    expect(new Deadline(whole.remainingMs).totalMs).to.be.within(1, 1010).and.satisfy(Number.isInteger);
  });
});
