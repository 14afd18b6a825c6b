import { expect } from 'chai';
import { EventHold } from '../../../supervisor/engine/event-hold.js';
import { FakeTime } from '../../fixtures/fake-time.js';

describe('the hold of events', () => {
  let time: FakeTime;
  let hold: EventHold;
  let done: string[];
  const show = (what: string): void => hold.perform(() => done.push(what));

  beforeEach(() => {
    time = new FakeTime();
    done = [];
    hold = new EventHold({ clock: time, setTimer: time.setTimer, commit: () => done.push('commit') });
  });

  it('lets everything pass while the power source does not change', () => {
    show('a');
    expect(done).to.deep.equal(['a']);
  });

  it('commits the first change before it is shown, and those after it together', async () => {
    for (const what of ['a', 'b', 'c']) {
      hold.begin();
      show(what);
    }
    expect(done).to.deep.equal(['commit', 'a']);
    await time.pass(100);
    expect(done).to.deep.equal(['commit', 'a', 'commit', 'b', 'c']);
  });

  it('commits at most ten times a second, and shows nothing later than 100 ms', async () => {
    for (let change = 0; change < 50; change += 1) {
      hold.begin();
      show(`change ${String(change)}`);
      await time.pass(20);
    }
    expect(done.filter((what) => what === 'commit').length).to.be.within(9, 11);
    expect(done.filter((what) => what !== 'commit').length).to.be.at.least(45);
  });

  it('shows what has waited when a decision has been committed, without another commit', async () => {
    hold.begin();
    hold.begin();
    show('a');
    hold.release();
    await time.pass(1_000);
    expect(done).to.deep.equal(['commit', 'a']);
  });

  it('commits at a tick when its timer was lost', () => {
    const lost = new EventHold({
      clock: time,
      setTimer: () => () => undefined,
      commit: () => done.push('commit'),
    });
    lost.begin();
    lost.begin();
    lost.perform(() => done.push('a'));
    time.advance(100);
    lost.settle();
    expect(done).to.deep.equal(['commit', 'commit', 'a']);
  });
});
