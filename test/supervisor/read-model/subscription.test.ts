import { expect } from 'chai';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { ChangeSet } from '../../../supervisor/read-model/subscription.js';
import { ModelSubscription } from '../../../supervisor/read-model/subscription.js';
import { FakeTime } from '../../fixtures/fake-time.js';

const fine: Outcome<object> = { ok: true, value: {} };
const refused: Outcome<object> = { ok: false, error: { code: 'NO', message: 'no' } };

class Bench {
  readonly drawn: ChangeSet[] = [];
  readonly lost: ChangeSet[] = [];
  answers: Outcome<object>[] = [];
  hold: ((outcome: Outcome<object>) => void) | undefined;
  held = false;
  readonly time = new FakeTime();
  readonly feed = new ModelSubscription<ChangeSet>(
    (wanted) => (this.drawn.push(wanted), wanted),
    { stateMs: 100, valuesMs: 1_000 },
    { clock: this.time, setTimer: this.time.setTimer },
    (change) => void this.lost.push(change),
  );

  connect(): void {
    this.feed.connect(() =>
      this.held
        ? new Promise((resolve) => (this.hold = resolve))
        : Promise.resolve(this.answers.shift() ?? fine),
    );
  }

  /** The pause between two changes passes. */
  pause(): Promise<void> {
    return this.time.pass(100);
  }
}

describe('a subscription', () => {
  it('sends a ready worker all data first, and then the changes', async () => {
    const bench = new Bench();
    bench.feed.upsChanged('a', true);
    bench.connect();
    await bench.pause();
    bench.feed.upsChanged('b', true);
    bench.feed.upsChanged('b', true);
    bench.feed.upsChanged('c', true);
    await bench.pause();
    expect(bench.drawn).to.deep.equal([
      { full: true, changed: [] },
      { full: false, changed: ['b', 'c'] },
    ]);
  });

  it('has one change in flight, and merges later changes', async () => {
    const bench = new Bench();
    bench.held = true;
    bench.connect();
    await bench.pause();
    for (let n = 0; n < 100; n += 1) {
      bench.feed.upsChanged('a', true);
      await bench.pause();
    }
    expect(bench.drawn).to.have.length(1);
    bench.hold?.(fine);
    await bench.time.pass(0);
    await bench.pause();
    expect(bench.drawn.slice(1)).to.deep.equal([{ full: false, changed: ['a'] }]);
  });

  it('pauses after each change, and sets no timer when nothing waits', async () => {
    const bench = new Bench();
    bench.connect();
    await bench.time.pass(0);
    expect(bench.time.pendingTimers).to.equal(0);
    bench.feed.upsChanged('a', true);
    await bench.time.pass(99);
    expect(bench.drawn).to.have.length(1);
    await bench.time.pass(1);
    expect(bench.drawn).to.have.length(2);
  });

  it('starts again with all data after a refused change', async () => {
    const bench = new Bench();
    bench.answers = [fine, refused];
    bench.connect();
    await bench.pause();
    bench.feed.upsChanged('a', true);
    await bench.pause();
    await bench.pause();
    expect(bench.drawn[2]?.full).to.equal(true);
    expect(bench.lost).to.deep.equal([{ full: false, changed: ['a'] }]);
  });

  it('sends nothing to a worker that is gone', async () => {
    const bench = new Bench();
    bench.connect();
    await bench.pause();
    bench.feed.disconnect();
    bench.feed.upsChanged('a', true);
    bench.feed.touch();
    bench.feed.tick();
    await bench.pause();
    expect(bench.drawn).to.have.length(1);
    expect(bench.feed.connected).to.equal(false);
  });

  it('sends changed values at the first tick of a second, or with the next change of a state', async () => {
    const bench = new Bench();
    bench.connect();
    await bench.time.pass(300);
    bench.feed.upsChanged('a', false);
    bench.feed.upsChanged('b', false);
    bench.feed.tick();
    await bench.time.pass(699);
    bench.feed.tick();
    await bench.time.pass(0);
    expect(bench.drawn).to.have.length(1);
    await bench.time.pass(1);
    bench.feed.tick();
    await bench.pause();
    bench.feed.upsChanged('c', false);
    bench.feed.upsChanged('d', true);
    await bench.pause();
    expect(bench.drawn.slice(1)).to.deep.equal([
      { full: false, changed: ['a', 'b'] },
      { full: false, changed: ['c', 'd'] },
    ]);
  });
});
