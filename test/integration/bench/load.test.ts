import { expect } from 'chai';
import { underLoad } from '../../bench/load/load.js';

describe('a fleet in one process of pollers', () => {
  // Nothing here is timed.
  const upses = 68;
  const seconds = 4;

  it('polls every UPS each second, and counts each poll', async function () {
    this.timeout(180_000);
    const { polls, figures } = await underLoad(upses, seconds, 1);
    expect(polls.ups).to.equal(upses);
    expect(polls.expected).to.equal(upses * seconds);
    expect(polls.skipped).to.equal(0);
    expect(polls.done).to.be.within(upses * (seconds - 2), upses * (seconds + 1));
    expect(polls.lateMs).to.have.length(polls.done - upses);
    const names = figures.map(({ what }) => what);
    expect(names).to.include.members([
      'supervisor',
      'log',
      'storage',
      'api',
      'nut-local',
      'nut-1',
      'the readers',
    ]);
    for (const { what, against } of figures)
      if (what.startsWith('reader of')) expect(against).to.contain(' 0 errors');
  });
});
