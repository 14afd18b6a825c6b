import { expect } from 'chai';
import { ChangeQueue } from '../../../supervisor/history/change-queue.js';
import type { ChangeRecord } from '../../../shared/protocol/storage.js';
import { maxChangesPerRequest } from '../../../shared/protocol/storage.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';

describe('the queue of changes', () => {
  let time: FakeTime;
  let queue: ChangeQueue;
  let sent: (readonly ChangeRecord[])[];
  let away: boolean;
  let incomplete: readonly string[];
  beforeEach(() => {
    time = new FakeTime();
    sent = [];
    away = false;
    incomplete = [];
    queue = newQueue();
    queue.ready();
  });
  const newQueue = (): ChangeQueue =>
    new ChangeQueue({
      storage: {
        request: (_name, params) => {
          sent.push((params as { changes: readonly ChangeRecord[] }).changes);
          const failed = { ok: false, error: { code: 'WORKER_GONE', message: '' } };
          return Promise.resolve((away ? failed : { ok: true, value: { incomplete } }) as never);
        },
      },
      clock: time,
      flushIntervalMs: 10_000,
    });
  const sentVariables = () =>
    sent.flat().map(({ groupId, isWhole, variables }) => [groupId, isWhole ? 'all' : 'part', variables]);

  it('sends the complete reading once, then what differs', () => {
    queue.push('office', 1, { 'ups.status': 'OL', 'ups.load': '20' });
    queue.push('office', 2, { 'ups.status': 'OL', 'ups.load': '21' });
    queue.push('office', 3, { 'ups.status': 'OB' });
    queue.push('rack', 3, { 'ups.status': 'OL' });
    queue.flush();
    expect(sentVariables()).to.deep.equal([
      ['office', 'all', { 'ups.status': 'OL', 'ups.load': '20' }],
      ['office', 'part', { 'ups.load': '21' }],
      ['office', 'part', { 'ups.status': 'OB', 'ups.load': null }],
      ['rack', 'all', { 'ups.status': 'OL' }],
    ]);
  });

  it('sends the complete reading again of a UPS that storage does not know, though nothing changes', async () => {
    const variables = { 'ups.status': 'OL' };
    queue.push('office', 1, variables);
    queue.push('rack', 1, variables);
    incomplete = ['office'];
    queue.flush();
    await settled();
    queue.push('office', 2, variables);
    queue.push('rack', 2, variables);
    queue.flush();
    expect(sentVariables()).to.deep.equal([
      ['office', 'all', variables],
      ['rack', 'all', variables],
      ['office', 'all', variables],
    ]);
  });

  it('sends nothing of an unchanged reading', () => {
    const variables = { 'ups.status': 'OL' };
    queue.push('office', 1, variables);
    queue.push('office', 2, variables);
    queue.push('office', 3, { ...variables });
    queue.flush();
    expect(sent.flat()).to.have.length(1);
  });

  it('sends at the interval of the samples', async () => {
    time.advance(10_000);
    queue.push('office', 1, { a: '1' });
    queue.tick();
    await settled();
    queue.push('office', 2, { a: '2' });
    time.advance(9_999);
    queue.tick();
    expect(sent).to.have.length(1);
    time.advance(1);
    queue.tick();
    expect(sent).to.have.length(2);
  });

  it('begins again with complete readings after storage did not take a batch', async () => {
    queue.push('office', 1, { a: '1', b: '1' });
    away = true;
    queue.flush();
    await settled();
    away = false;
    queue.push('office', 2, { a: '2', b: '1' });
    queue.flush();
    expect(sentVariables().at(-1)).to.deep.equal(['office', 'all', { a: '2', b: '1' }]);
  });

  it('keeps the readings from before the first worker is ready', () => {
    queue = newQueue();
    queue.push('office', 1, { 'ups.status': 'OL' });
    queue.flush();
    expect(sent).to.deep.equal([]);
    queue.ready();
    queue.push('office', 2, { 'ups.status': 'OB' });
    queue.flush();
    expect(sentVariables()).to.deep.equal([
      ['office', 'all', { 'ups.status': 'OL' }],
      ['office', 'part', { 'ups.status': 'OB' }],
    ]);
  });

  it('gives a new worker each UPS from a complete reading on', () => {
    queue.push('office', 1, { a: '1' });
    queue.flush();
    queue.push('office', 2, { a: '2' });
    queue.push('rack', 2, { a: '1' });
    queue.push('rack', 3, { a: '2' });
    queue.ready();
    queue.push('office', 4, { a: '3' });
    queue.flush();
    expect(sent.at(-1)?.map(({ groupId, isWhole, at }) => [groupId, isWhole, at])).to.deep.equal([
      ['rack', true, 2],
      ['rack', false, 3],
      ['office', true, 4],
    ]);
  });

  it('stays within the bounds of a request, and sends a backlog immediately', async () => {
    for (let number = 0; number <= maxChangesPerRequest; number += 1)
      queue.push('office', number, { a: String(number) });
    for (let ups = 0; ups < 5; ups += 1)
      queue.push(
        `large-${String(ups)}`,
        1,
        Object.fromEntries(
          Array.from({ length: 5_000 }, (_, name) => [`v${String(name)}`, 'x'.repeat(1_000)]),
        ),
      );
    for (let request = 0; request < 10; request += 1) {
      queue.flush();
      await settled();
    }
    expect(sent.flat()).to.have.length(maxChangesPerRequest + 6);
    for (const changes of sent) {
      expect(changes.length).to.be.at.most(maxChangesPerRequest);
      expect(JSON.stringify(changes).length).to.be.below(4 * 1024 * 1024);
    }
  });

  it('holds a bounded number of changes while storage does not answer', () => {
    for (let number = 0; number < 100_000; number += 1) queue.push('office', number, { a: String(number) });
    queue.flush();
    expect(sent.at(-1)?.[0]?.isWhole).to.equal(true);
    expect(Number(sent.at(-1)?.[0]?.variables['a'])).to.be.above(50_000);
  });
});
