import { expect } from 'chai';
import type { Failure, Outcome } from '../../../shared/protocol/contract.js';
import { linkFailure } from '../../../shared/protocol/contract.js';
import { AppendQueue } from '../../../supervisor/queues/append-queue.js';
import { Turns } from '../../../supervisor/queues/turns.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';

const full = { ok: false, error: { code: 'DISK_FULL', message: 'full' } } as const;

/** A worker that cannot read `poison`, and answers `answer` to all else; null: it does not answer. */
class Fixture {
  readonly clock = new FakeTime(0);
  readonly sent: (readonly string[])[] = [];
  readonly taken: string[] = [];
  readonly dropped: string[] = [];
  answer: Outcome<null> | null = { ok: true, value: null };
  readonly queue: AppendQueue<string, null>;
  readonly turns: Turns;

  constructor(options: { readonly perRequest?: number; readonly max?: number } = {}) {
    this.queue = new AppendQueue<string, null>({
      perRequest: options.perRequest ?? 10,
      ...(options.max !== undefined && { max: options.max }),
      send: (entries) => this.#send(entries),
      taken: (entries) => this.taken.push(...entries),
      dropped: (entry, why) => this.dropped.push(`${entry} ${wordsOf(why)}`),
    });
    this.turns = new Turns(this.clock, () => this.queue.next());
  }

  push(...entries: readonly string[]): void {
    for (const entry of entries) this.queue.push(entry);
  }

  async pass(ms: number): Promise<void> {
    this.clock.advance(ms);
    this.turns.tick();
    await settled();
  }

  #send(entries: readonly string[]): Promise<Outcome<null>> {
    this.sent.push(entries);
    const { answer } = this;
    if (answer === null) return new Promise(() => undefined);
    const isRead = answer.ok && !entries.some((entry) => entry.startsWith('poison'));
    return Promise.resolve(
      isRead || !answer.ok ? answer : { ok: false, error: { code: linkFailure.invalid, message: 'unread' } },
    );
  }
}

const wordsOf = (why: Failure | null): string => why?.message ?? 'no room';

describe('a queue towards a worker', () => {
  it('sends in order, in batches, one at a time, until all is taken', async () => {
    const fixture = new Fixture({ perRequest: 2 });
    fixture.push('a', 'b', 'c');
    await fixture.pass(0);
    expect(fixture.sent).to.deep.equal([['a', 'b'], ['c']]);
    expect([fixture.taken, fixture.queue.length]).to.deep.equal([['a', 'b', 'c'], 0]);
  });

  it('rests for a second after a request that was not taken, unless the worker is ready', async () => {
    const fixture = new Fixture();
    fixture.answer = full;
    fixture.push('a');
    await fixture.pass(0);
    await fixture.pass(999);
    expect(fixture.sent).to.have.length(1);
    await fixture.pass(1);
    expect(fixture.sent).to.deep.equal([['a'], ['a']]);
    fixture.answer = { ok: true, value: null };
    fixture.turns.ready();
    await settled();
    expect(fixture.taken).to.deep.equal(['a']);
  });

  it('drops the oldest that is not being sent', async () => {
    const fixture = new Fixture({ perRequest: 2, max: 3 });
    fixture.answer = null;
    fixture.push('a', 'b');
    await fixture.pass(0);
    fixture.push('c', 'd', 'e');
    expect([fixture.dropped, fixture.queue.length]).to.deep.equal([['c no room', 'd no room'], 3]);
  });

  it('drops what the worker cannot read, alone', async () => {
    const fixture = new Fixture({ perRequest: 16 });
    const entries = Array.from({ length: 30 }, (_, at) =>
      at === 7 || at === 8 ? `poison${String(at)}` : `e${String(at)}`,
    );
    fixture.push(...entries);
    await fixture.pass(0);
    expect(fixture.dropped).to.deep.equal(['poison7 unread', 'poison8 unread']);
    expect(fixture.taken).to.deep.equal(entries.filter((entry) => !entry.startsWith('poison')));
    expect(fixture.sent.length).to.be.below(20);
  });

  it('sends the newer of two with one key, also where the older is being sent', async () => {
    const fixture = new Fixture();
    fixture.queue.push('old', 'key');
    fixture.queue.push('new', 'key');
    fixture.turns.tick();
    fixture.queue.push('newest', 'key');
    await settled();
    expect(fixture.sent).to.deep.equal([['new'], ['newest']]);
    expect(fixture.queue.length).to.equal(0);
  });

  it('ends each request before the next, and says so', async () => {
    const fixture = new Fixture();
    const ended: number[] = [];
    const turns = new Turns(
      fixture.clock,
      () => fixture.queue.next(),
      () => ended.push(fixture.queue.length),
    );
    fixture.push('a');
    turns.tick();
    expect([turns.isInFlight, turns.isBusy]).to.deep.equal([true, true]);
    await settled();
    expect([turns.isInFlight, turns.isBusy, ended]).to.deep.equal([false, false, [0]]);
  });
});
