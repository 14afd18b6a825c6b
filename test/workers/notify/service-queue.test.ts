import { expect } from 'chai';
import { delivered } from '../../../workers/notify/services/outcome.js';
import { down, fault, news, QueueBench } from './fixture.js';

describe('the queue of a notification service', () => {
  it('delivers immediately and reports it', async () => {
    const bench = new QueueBench();
    const [message] = await bench.tell('CONNECTION_RESTORED');
    expect(bench.seconds).to.deep.equal([0]);
    expect(bench.reports).to.deep.equal([
      {
        id: message?.id,
        delivery: {
          service: 's1',
          state: 'sent',
          reason: null,
          attempts: 1,
          at: bench.time.wallSeconds(),
        },
      },
    ]);
    expect(bench.time.pendingTimers).to.equal(0);
  });

  it('retries after 5 s, doubling to 300 s', async () => {
    const bench = new QueueBench();
    bench.answers = [down];
    await bench.tell('BATTERY_REPLACE');
    await bench.time.pass(1_600_000);
    expect(bench.seconds).to.deep.equal([0, 5, 15, 35, 75, 155, 315, 615, 915, 1215, 1515]);
  });

  it('adds up to a fifth of the backoff at random', async () => {
    const bench = new QueueBench();
    bench.answers = [down];
    bench.random = 1;
    await bench.tell('BATTERY_REPLACE');
    await bench.time.pass(18_000);
    expect(bench.seconds).to.deep.equal([0, 6, 18]);
  });

  it('adds nothing to the longest backoff', async () => {
    const bench = new QueueBench();
    bench.answers = [down];
    bench.random = 1;
    await bench.tell('BATTERY_REPLACE');
    await bench.time.pass(1_000_000);
    expect(bench.seconds).to.deep.equal([0, 6, 18, 42, 90, 186, 378, 678, 978]);
  });

  it('keeps its backoff across messages, and resets it after a delivery', async () => {
    const bench = new QueueBench();
    bench.answers = [down, down, delivered, delivered, down];
    await bench.tell('BATTERY_REPLACE', 'VOLTAGE_NORMALIZED');
    await bench.time.pass(15_000);
    expect(bench.types).to.deep.equal([
      'BATTERY_REPLACE',
      'BATTERY_REPLACE',
      'BATTERY_REPLACE',
      'VOLTAGE_NORMALIZED',
    ]);
    expect(bench.seconds).to.deep.equal([0, 5, 15, 15]);
    await bench.tell('CONNECTION_RESTORED');
    await bench.time.pass(5000);
    expect(bench.seconds.slice(4)).to.deep.equal([15, 20]);
  });

  it('gives every attempt its timeout and continues', async () => {
    const bench = new QueueBench();
    bench.answers = ['never', delivered];
    const [message] = await bench.tell('ON_BATTERY');
    await bench.time.pass(9_999);
    expect(bench.reports).to.deep.equal([]);
    await bench.time.pass(5_001);
    expect(bench.seconds).to.deep.equal([0, 15]);
    expect(bench.fate(message ?? { id: '' })).to.equal('sent');
    expect(bench.log.map(({ message: text }) => text)).to.deep.equal([
      'notifications.urls[0] (ntfy): a message could not be delivered: it did not answer within 10 s; check the network. 1 pending; the daemon tries again.',
      'notifications.urls[0] (ntfy): messages are delivered again',
    ]);
  });

  it('never has two deliveries at once', async () => {
    const bench = new QueueBench();
    bench.answers = ['never'];
    await bench.tell('ON_BATTERY', 'CONNECTION_LOST', 'BATTERY_REPLACE');
    await bench.time.pass(100_000);
    await bench.tell('OVERLOAD_ACTIVE');
    expect(bench.mostUnderWay).to.equal(1);
  });

  it('logs the first failure of a kind', async () => {
    const bench = new QueueBench();
    bench.answers = [down, down, fault('DENIED'), down, delivered];
    await bench.tell('BATTERY_REPLACE');
    await bench.time.pass(100_000);
    expect(bench.log.map(({ level }) => level)).to.deep.equal(['warning', 'warning', 'warning', 'info']);
  });

  it('logs a warning about delivered messages once, until it changes', async () => {
    const bench = new QueueBench();
    const but = (warning: string | null) => ({ ok: true as const, warning });
    bench.answers = [but('one is missing'), but('one is missing'), but(null), but('one is missing')];
    await bench.tell('ON_BATTERY', 'OVERLOAD_ACTIVE', 'CONNECTION_LOST', 'BATTERY_REPLACE');
    expect(bench.reports.map(({ delivery }) => delivery.state)).to.deep.equal([
      'sent',
      'sent',
      'sent',
      'sent',
    ]);
    const said = 'notifications.urls[0] (ntfy): a message was delivered, but one is missing.';
    expect(bench.log.map(({ message: text }) => text)).to.deep.equal([said, said]);
  });

  it('pauses as long as the service asks, even for urgent messages', async () => {
    const bench = new QueueBench();
    bench.answers = [fault('BUSY', 120_000), delivered];
    await bench.tell('BATTERY_REPLACE');
    await bench.tell('ON_BATTERY');
    await bench.time.pass(119_000);
    expect(bench.types).to.deep.equal(['BATTERY_REPLACE']);
    await bench.time.pass(1000);
    expect(bench.types).to.deep.equal(['BATTERY_REPLACE', 'ON_BATTERY', 'BATTERY_REPLACE']);
  });

  it('uses its backoff for a busy service that names no pause', async () => {
    const bench = new QueueBench();
    bench.answers = [fault('BUSY')];
    await bench.tell('ON_BATTERY');
    await bench.tell('OVERLOAD_ACTIVE');
    await bench.time.pass(35_000);
    expect(bench.seconds).to.deep.equal([0, 5, 15, 35]);
  });

  it('delivers other messages before one that the service rejects', async () => {
    const bench = new QueueBench();
    bench.answers = [fault('REFUSED'), delivered, delivered, fault('REFUSED'), delivered];
    const [poison] = await bench.tell('ON_BATTERY', 'BATTERY_REPLACE', 'VOLTAGE_NORMALIZED');
    await bench.time.pass(4999);
    await bench.tell('CONNECTION_LOST');
    expect(bench.types).to.deep.equal([
      'ON_BATTERY',
      'CONNECTION_LOST',
      'BATTERY_REPLACE',
      'VOLTAGE_NORMALIZED',
    ]);
    bench.queue.stop();
    expect(bench.fate(poison ?? { id: '' })).to.equal('pending');
  });

  it('retries a rejected message with a growing backoff', async () => {
    const bench = new QueueBench();
    bench.answers = [fault('REFUSED')];
    await bench.tell('ON_BATTERY');
    await bench.time.pass(75_000);
    expect(bench.seconds).to.deep.equal([0, 5, 15, 35, 75]);
  });

  it('accepts a message once', async () => {
    const bench = new QueueBench();
    bench.answers = [down, delivered];
    const message = news('ON_BATTERY', bench.time);
    await bench.take(message, message);
    await bench.take(message);
    await bench.time.pass(5000);
    expect(bench.seconds).to.deep.equal([0, 5]);
    expect(bench.queue.state.pending).to.equal(0);
  });

  describe('asked for a test', () => {
    const test = { ...testMessage() };

    it('tries immediately, before backlog and backoff, and returns the answer', async () => {
      const bench = new QueueBench();
      bench.answers = [down, delivered];
      await bench.tell('ON_BATTERY');
      const answer = await bench.queue.test(test);
      expect(answer).to.deep.equal({ outcome: delivered, seconds: 0 });
      expect(bench.types).to.deep.equal(['ON_BATTERY', 'TEST']);
    });

    it('does not retry', async () => {
      const bench = new QueueBench();
      bench.answers = [down];
      const answer = await bench.queue.test(test);
      expect(answer.outcome).to.equal(down);
      await bench.time.pass(1_000_000);
      expect(bench.sent.length).to.equal(1);
    });

    it('waits for the running delivery, and gives the service its timeout', async () => {
      const bench = new QueueBench();
      bench.answers = ['never'];
      await bench.tell('ON_BATTERY');
      const answer = bench.queue.test(test);
      await bench.time.pass(20_000);
      expect((await answer).seconds).to.equal(10);
      expect((await answer).outcome.ok).to.equal(false);
    });
  });

  describe('when it ends', () => {
    it('tries new messages once, urgent ones first', async () => {
      const bench = new QueueBench();
      bench.answers = ['never', down, delivered];
      await bench.tell('BATTERY_REPLACE');
      const [late] = await bench.tell('VOLTAGE_NORMALIZED', 'ON_BATTERY');
      const ended = bench.queue.drain();
      await bench.time.pass(10_000);
      await ended;
      expect(bench.types).to.deep.equal(['BATTERY_REPLACE', 'ON_BATTERY', 'VOLTAGE_NORMALIZED']);
      expect(bench.fate(late ?? { id: '' })).to.equal('sent');
    });

    it('does not call a service that asked for a pause', async () => {
      const bench = new QueueBench();
      bench.answers = [fault('BUSY')];
      await bench.tell('BATTERY_REPLACE', 'VOLTAGE_NORMALIZED');
      await bench.queue.drain();
      expect(bench.sent.length).to.equal(1);
    });

    it('stops immediately on request, and keeps what waits', async () => {
      const bench = new QueueBench();
      bench.answers = ['never'];
      const [message] = await bench.tell('ON_BATTERY', 'BATTERY_REPLACE');
      bench.queue.stop();
      await bench.time.pass(1_000_000);
      expect(bench.underWay).to.equal(0);
      expect(bench.sent.length).to.equal(1);
      expect(bench.fate(message ?? { id: '' })).to.equal('pending');
      expect(bench.reports).to.deep.equal([]);
    });

    it('is abandoned: no timer is left', async () => {
      const bench = new QueueBench();
      bench.answers = ['never'];
      const all = await bench.tell('ON_BATTERY', 'BATTERY_REPLACE');
      bench.queue.abandon();
      expect(all.map((message) => bench.fate(message))).to.deep.equal(['superseded', 'superseded']);
      expect(bench.queue.state.pending).to.equal(0);
    });
  });
});

function testMessage() {
  const bench = new QueueBench();
  return {
    id: 'test',
    title: 'nas01: Test message',
    text: 'This is a test.',
    time: '',
    body: 'This is a test.',
    at: bench.time.wallSeconds(),
    type: 'TEST',
    source: 'daemon',
    urgent: false,
  };
}
