import { expect } from 'chai';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { ChangeSet } from '../../../supervisor/read-model/subscription.js';
import { ModelSubscription } from '../../../supervisor/read-model/subscription.js';
import { settled } from '../../fixtures/fake-time.js';
import { until } from '../../fixtures/until.js';

const fine: Outcome<object> = { ok: true, value: {} };
const refused: Outcome<object> = { ok: false, error: { code: 'NO', message: 'no' } };

class Bench {
  readonly drawn: ChangeSet[] = [];
  readonly lost: ChangeSet[] = [];
  answers: Outcome<object>[] = [];
  hold: ((outcome: Outcome<object>) => void) | undefined;
  held = false;
  readonly feed = new ModelSubscription<ChangeSet>(
    (wanted) => (this.drawn.push(wanted), wanted),
    { stateMs: 1, valuesMs: 40 },
    (change) => void this.lost.push(change),
  );

  connect(): void {
    this.feed.connect(() =>
      this.held
        ? new Promise((resolve) => (this.hold = resolve))
        : Promise.resolve(this.answers.shift() ?? fine),
    );
  }

  many(count: number): Promise<unknown> {
    return until(
      () => this.drawn.length,
      (length) => length >= count,
    );
  }
}

describe('a subscription', () => {
  it('sends a ready worker all data first, and then the changes', async () => {
    const bench = new Bench();
    bench.feed.upsChanged('a', true);
    bench.connect();
    await bench.many(1);
    bench.feed.upsChanged('b', true);
    bench.feed.upsChanged('b', true);
    bench.feed.upsChanged('c', true);
    await bench.many(2);
    expect(bench.drawn).to.deep.equal([
      { full: true, changed: [] },
      { full: false, changed: ['b', 'c'] },
    ]);
  });

  it('has one change in flight, and merges later changes', async () => {
    const bench = new Bench();
    bench.held = true;
    bench.connect();
    await bench.many(1);
    for (let n = 0; n < 100; n += 1) {
      bench.feed.upsChanged('a', true);
      await settled();
    }
    expect(bench.drawn).to.have.length(1);
    bench.hold?.(fine);
    await bench.many(2);
    expect(bench.drawn[1]).to.deep.equal({ full: false, changed: ['a'] });
  });

  it('starts again with all data after a refused change', async () => {
    const bench = new Bench();
    bench.answers = [fine, refused];
    bench.connect();
    await bench.many(1);
    bench.feed.upsChanged('a', true);
    await bench.many(3);
    expect(bench.drawn[2]?.full).to.equal(true);
    expect(bench.lost).to.deep.equal([{ full: false, changed: ['a'] }]);
  });

  it('sends nothing to a worker that is gone', async () => {
    const bench = new Bench();
    bench.connect();
    await bench.many(1);
    bench.feed.disconnect();
    bench.feed.upsChanged('a', true);
    bench.feed.touch();
    expect(bench.feed.connected).to.equal(false);
    bench.connect();
    await bench.many(2);
    expect(bench.drawn).to.deep.equal(Array(2).fill({ full: true, changed: [] }));
  });

  it('sends changed values together, and with the next change of a state', async () => {
    const bench = new Bench();
    bench.connect();
    await bench.many(1);
    bench.feed.upsChanged('a', false);
    bench.feed.upsChanged('b', false);
    await settled();
    expect(bench.drawn).to.have.length(1);
    await bench.many(2);
    bench.feed.upsChanged('c', false);
    bench.feed.upsChanged('d', true);
    await bench.many(3);
    expect(bench.drawn.slice(1)).to.deep.equal([
      { full: false, changed: ['a', 'b'] },
      { full: false, changed: ['c', 'd'] },
    ]);
  });
});
