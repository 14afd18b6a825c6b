import { expect } from 'chai';
import { soaked } from '../../bench/soak/soak.js';

describe('a daemon on a compressed clock', () => {
  it('runs for more than six minutes without losing a poll, scrape, probe or worker', async () => {
    const hours = 0.1;
    const { day, polls, restarts, powerOffs, drill } = await soaked(hours, 60);
    expect(restarts).to.deep.equal([]);
    expect(polls.skipped).to.equal(0);
    // Each late poll on this clock shifts all that follow.
    expect(polls.done).to.be.above(0.7 * polls.expected);
    expect(polls.expected).to.be.above(2 * 360);
    expect(day.scrapes).to.be.above(4);
    expect(day.failures).to.equal(0);
    expect(day.streamMessages).to.be.above(0);
    expect(powerOffs).to.equal(0);
    expect(drill).to.equal('1 of 1 servers could be shut down.');
  });
});
