import { expect } from 'chai';
import type { ServerTime } from '../../../shared/domain/outage/server-time.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import { ServerTimeQueue } from '../../../supervisor/history/server-times.js';
import { FakeTime, settled } from '../../fixtures/fake-time.js';

const measured = (at: number): ServerTime => ({
  server: 'nas',
  phase: 'off',
  isDrill: false,
  at,
  seconds: 1,
});

describe('the queue of measured times', () => {
  let sent: (readonly ServerTime[])[];
  let answer: Outcome<object>;
  let clock: FakeTime;
  let warned: string[];
  let queue: ServerTimeQueue;
  beforeEach(() => {
    sent = [];
    answer = { ok: true, value: {} };
    clock = new FakeTime(0);
    warned = [];
    const request = (_name: string, params: unknown) => {
      sent.push((params as { times: readonly ServerTime[] }).times);
      return Promise.resolve(answer as never);
    };
    queue = new ServerTimeQueue({ request }, clock, { warning: (text) => warned.push(text) });
  });
  const tick = async () => {
    clock.advance(1_000);
    queue.tick();
    await settled();
  };

  it('sends each measurement until storage has it', async () => {
    answer = { ok: false, error: { code: 'DISK_FULL', message: 'full' } };
    queue.push([measured(1)]);
    await tick();
    queue.push([measured(2)]);
    answer = { ok: true, value: {} };
    await tick();
    await tick();
    expect(sent.map((times) => times.map(({ at }) => at))).to.deep.equal([[1], [1, 2]]);
  });

  it('drops them where no history is kept, and the oldest beyond its bound', async () => {
    answer = { ok: false, error: { code: 'DISABLED', message: 'off' } };
    queue.push([measured(1)]);
    await tick();
    await tick();
    expect(sent).to.have.length(1);
    queue.push(Array.from({ length: 13_000 }, (_, index) => measured(index)));
    await tick();
    expect(sent[1]?.[0]?.at).to.equal(1_000);
  });

  it('names a measurement that storage cannot read, and drops it', async () => {
    answer = { ok: false, error: { code: 'INVALID_MESSAGE', message: 'unread' } };
    queue.push([measured(1)]);
    await tick();
    await tick();
    expect(sent).to.have.length(1);
    expect(warned).to.deep.equal(['a measured time of nas cannot be stored: unread']);
  });
});
