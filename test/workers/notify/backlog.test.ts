import { expect } from 'chai';
import { delivered } from '../../../workers/notify/services/outcome.js';
import { down, fault, news, QueueBench } from './fixture.js';

describe('the backlog of a notification service', () => {
  it('sends urgent messages first', async () => {
    const bench = new QueueBench();
    bench.answers = [down, delivered];
    await bench.tell('BATTERY_REPLACE', 'VOLTAGE_NORMALIZED');
    await bench.tell('ON_BATTERY');
    await bench.time.pass(10_000);
    expect(bench.types).to.deep.equal([
      'BATTERY_REPLACE',
      'ON_BATTERY',
      'BATTERY_REPLACE',
      'VOLTAGE_NORMALIZED',
    ]);
  });

  it('tries an urgent message immediately during a backoff, once', async () => {
    const bench = new QueueBench();
    bench.answers = [down];
    await bench.tell('BATTERY_REPLACE');
    await bench.time.pass(155_000);
    const before = bench.sent.length;
    await bench.tell('ON_BATTERY', 'OVERLOAD_ACTIVE');
    expect(bench.types.slice(before)).to.deep.equal(['ON_BATTERY']);
    expect(bench.seconds.at(-1)).to.equal(155);
    await bench.time.pass(299_000);
    expect(bench.sent.length).to.equal(before + 1);
  });

  it('gives up after max_attempts', async () => {
    const bench = new QueueBench({ maxAttempts: 3 });
    bench.answers = [down];
    const [message] = await bench.tell('ON_BATTERY');
    await bench.time.pass(1_000_000);
    expect(bench.seconds).to.deep.equal([0, 5, 15]);
    expect(bench.fate(message ?? { id: '' })).to.equal('max_attempts');
    expect(bench.queue.state.pending).to.equal(0);
  });

  it('counts attempts before a restart', async () => {
    const bench = new QueueBench({ maxAttempts: 3 });
    bench.answers = [down];
    const message = news('ON_BATTERY', bench.time);
    bench.queue.take(message, 2, bench.time.monotonicMs());
    bench.queue.wake();
    await bench.time.pass(0);
    expect(bench.fate(message)).to.equal('max_attempts');
  });

  it('does not count "later" as an attempt', async () => {
    const bench = new QueueBench({ maxAttempts: 2 });
    bench.answers = [fault('BUSY'), fault('BUSY'), fault('BUSY'), delivered];
    const [message] = await bench.tell('ON_BATTERY');
    await bench.time.pass(100_000);
    expect(bench.fate(message ?? { id: '' })).to.equal('sent');
  });

  it('drops messages older than max_age_days', async () => {
    const bench = new QueueBench({ maxAgeSeconds: 86_400 });
    bench.answers = [down];
    const [old, young] = [news('BATTERY_REPLACE', bench.time, 86_000), news('ON_BATTERY', bench.time, 10)];
    await bench.take(old, young);
    await bench.time.pass(700_000);
    expect(bench.fate(old)).to.equal('too_old');
    expect(bench.fate(young)).to.equal('pending');
  });

  it('drops nothing because the wall clock changed', async () => {
    const bench = new QueueBench({ maxAgeSeconds: 86_400 });
    bench.answers = [down];
    const [message] = await bench.tell('ON_BATTERY');
    bench.time.step(10 * 365 * 86_400);
    await bench.time.pass(50_000);
    expect(bench.fate(message ?? { id: '' })).to.equal('pending');
  });

  it('drops the oldest message that is not urgent when it is full', async () => {
    const bench = new QueueBench({ maxPending: 3 });
    bench.answers = [down];
    const [first, ...later] = await bench.tell(
      'CONNECTION_LOST',
      'BATTERY_REPLACE',
      'VOLTAGE_NORMALIZED',
      'OVERLOAD_ACTIVE',
    );
    const fates = [first, ...later].map((message) => bench.fate(message ?? { id: '' }));
    expect(fates).to.deep.equal(['pending', 'overflow', 'pending', 'pending']);
    const more = await bench.tell('BROWNOUT_DETECTED', 'SHUTDOWN_TRIGGERED');
    expect(later.map((message) => bench.fate(message))).to.deep.equal(['overflow', 'overflow', 'pending']);
    expect(bench.fate(first ?? { id: '' })).to.equal('overflow');
    expect(more.map((message) => bench.fate(message))).to.deep.equal(['pending', 'pending']);
  });

  it('sends reloaded messages in the order of their events', async () => {
    const bench = new QueueBench();
    bench.answers = [down, delivered];
    await bench.tell('CONNECTION_RESTORED');
    await bench.take(news('BATTERY_REPLACE', bench.time, 60), news('VOLTAGE_NORMALIZED', bench.time, 30));
    await bench.time.pass(5000);
    expect(bench.types.slice(1)).to.deep.equal([
      'BATTERY_REPLACE',
      'VOLTAGE_NORMALIZED',
      'CONNECTION_RESTORED',
    ]);
  });
});
