import { expect } from 'chai';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { KeptValueOptions } from '../../../supervisor/queues/kept-value.js';
import { KeptValue } from '../../../supervisor/queues/kept-value.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';

const down: Outcome<never> = { ok: false, error: { code: 'WORKER_GONE', message: '' } };

class Fixture {
  readonly clock = new FakeTime(0);
  readonly written: string[] = [];
  readonly recalled: string[] = [];
  isDown = false;
  stored = 'of before';
  readonly value: KeptValue<string>;

  constructor(isRecalled: boolean, options: Partial<KeptValueOptions<string>> = {}) {
    this.value = new KeptValue<string>({
      clock: this.clock,
      write: (value) => {
        this.written.push(value);
        if (!this.isDown) this.stored = value;
        return Promise.resolve(this.isDown ? down : { ok: true, value: {} });
      },
      ...(isRecalled && {
        recall: () => Promise.resolve(this.isDown ? down : { ok: true, value: this.stored }),
        recalled: (value) => this.recalled.push(value),
      }),
      ...options,
    });
  }

  async keep(value: string, ms = 0): Promise<void> {
    this.clock.advance(ms);
    this.value.keep(value);
    await settled();
  }
}

describe('a value that a worker keeps', () => {
  it('is written when it has changed, and in any case once', async () => {
    const fixture = new Fixture(false);
    for (const value of ['a', 'a', 'b', 'b', 'a']) await fixture.keep(value);
    expect(fixture.written).to.deep.equal(['a', 'b', 'a']);
  });

  it('is made text once, however often it comes while the worker does not answer', async () => {
    const texts: string[] = [];
    const fixture = new Fixture(false, {
      textOf: (value) => {
        texts.push(value);
        return value;
      },
    });
    fixture.isDown = true;
    for (let second = 0; second < 5; second += 1) await fixture.keep('a', 1_000);
    await fixture.keep('b', 1_000);
    expect(texts).to.deep.equal(['a', 'b']);
  });

  it('is the newest where several came while one was being written', async () => {
    const fixture = new Fixture(false);
    for (const value of ['a', 'b', 'c']) fixture.value.keep(value);
    await settled();
    expect(fixture.written).to.deep.equal(['a', 'c']);
  });

  it('is written again after an answer that did not come, which may have been written', async () => {
    const fixture = new Fixture(false);
    await fixture.keep('a');
    fixture.isDown = true;
    await fixture.keep('b');
    fixture.isDown = false;
    await fixture.keep('a', 999);
    expect(fixture.written).to.deep.equal(['a', 'b']);
    await fixture.keep('a', 1);
    expect(fixture.written).to.deep.equal(['a', 'b', 'a']);
    fixture.isDown = true;
    await fixture.keep('b');
    fixture.isDown = false;
    await fixture.keep('b', 1_000);
    expect(fixture.written).to.deep.equal(['a', 'b', 'a', 'b', 'b']);
  });

  it('is recalled once before it is replaced, and not written where it is the same', async () => {
    const fixture = new Fixture(true);
    fixture.isDown = true;
    await fixture.keep('of before');
    fixture.isDown = false;
    await fixture.keep('of before', 1_000);
    await fixture.keep('of before', 1_000);
    expect([fixture.recalled, fixture.written]).to.deep.equal([['of before'], []]);
    await fixture.keep('new', 1_000);
    expect([fixture.recalled, fixture.written]).to.deep.equal([['of before'], ['new']]);
  });

  it('is written again when it is old, where its owner says so', async () => {
    const fixture = new Fixture(false, { rewriteMs: (value) => (value === 'a' ? 600_000 : null) });
    await fixture.keep('a');
    await fixture.keep('a', 599_999);
    expect(fixture.written).to.deep.equal(['a']);
    await fixture.keep('a', 1);
    await fixture.keep('b');
    await fixture.keep('b', 700_000);
    expect(fixture.written).to.deep.equal(['a', 'a', 'b']);
  });
});
