import { expect } from 'chai';
import { afterPollsMs } from '../../../shared/runtime/period.js';
import { Ticks } from '../../../supervisor/daemon/ticks.js';
import { FakeTime } from '../../fixtures/fake-time.js';

describe('the ticks of the daemon', () => {
  function rig({ isQuiet = false, startMs = 1_000_130 } = {}) {
    const time = new FakeTime(startMs + afterPollsMs);
    const atMs: number[] = [];
    const state = { isQuiet, throws: false };
    const ticks = new Ticks({ clock: time, setTimer: time.setTimer }, () => {
      atMs.push(time.monotonicMs() - 1_000_000 - afterPollsMs);
      if (state.throws) throw new Error('a bug');
      return state.isQuiet;
    });
    return { time, ticks, atMs, state };
  }

  it('come at every quarter of a second, and at every half while all is quiet', async () => {
    const { time, atMs, state } = rig();
    await time.pass(900);
    state.isQuiet = true;
    await time.pass(1_500);
    expect(atMs).to.deep.equal([250, 500, 750, 1_000, 1_250, 1_500, 2_000, 2_500]);
  });

  it('come within a quarter of a second after something has begun', async () => {
    const { time, ticks, atMs, state } = rig({ isQuiet: true });
    await time.pass(900);
    expect(atMs).to.deep.equal([250, 500, 1_000]);
    state.isQuiet = false;
    ticks.useShortInterval();
    ticks.useShortInterval();
    await time.pass(600);
    expect(atMs.slice(3)).to.deep.equal([1_250, 1_500]);
  });

  it('go on after one that threw, as if it was not quiet', async () => {
    const { time, atMs, state } = rig({ isQuiet: true });
    await time.pass(400);
    state.throws = true;
    let caught = 0;
    for (let turn = 0; turn < 3; turn += 1) await time.pass(250).catch(() => (caught += 1));
    expect(caught).to.equal(2);
    expect(atMs).to.deep.equal([250, 500, 1_000, 1_250]);
    state.throws = false;
    await time.pass(300);
    expect(atMs.at(-1)).to.equal(1_500);
  });

  it('do not come twice when a timer is early, and skip none when it is late', async () => {
    const { time, atMs } = rig({ startMs: 1_000_249 });
    await time.pass(251);
    time.advance(290);
    await time.pass(300);
    expect(atMs).to.deep.equal([500, 790, 1_000]);
  });

  it('end', async () => {
    const { time, ticks, atMs } = rig();
    await time.pass(200);
    ticks.stop();
    ticks.useShortInterval();
    await time.pass(2_000);
    expect(atMs).to.deep.equal([250]);
    expect(time.pendingTimers).to.equal(0);
  });
});
