import { expect } from 'chai';
import { coalesceMessages } from '../../../workers/notify/coalesce.js';
import { delivered } from '../../../workers/notify/services/outcome.js';
import { FakeTime } from '../../fixtures/fake-time.js';
import { down, news, QueueBench } from './fixture.js';

describe('an outage that ended before its notification', () => {
  it('becomes one summary with start and duration', async () => {
    const bench = new QueueBench();
    bench.answers = [down, delivered];
    await bench.tell('BATTERY_REPLACE');
    const [old, restored] = [news('ON_BATTERY', bench.time, 247), news('POWER_RESTORED', bench.time)];
    await bench.take(old, restored);
    await bench.time.pass(5000);
    expect(bench.fate(old)).to.equal('coalesced');
    expect(bench.fate(restored)).to.equal('coalesced');
    expect(bench.summaries.map(({ id }) => id)).to.deep.equal([`${old.id}+${restored.id}`]);
    expect(bench.sent.map(({ message }) => message.id).slice(1)).to.include(`${old.id}+${restored.id}`);
    const text = bench.sent.find(({ message }) => message.type === 'POWER_RESTORED')?.message.text;
    // It may have been a battery test.
    expect(text).to.match(/^The UPS was on battery before this message could be delivered: from 20\d\d-/);
    expect(text).to.match(/on line power 4\u00a0min\u00a007\u00a0s later\. POWER_RESTORED of office\.$/);
    expect(bench.fate({ id: `${old.id}+${restored.id}` })).to.equal('sent');
  });

  it('stays two messages while the alarm may be in delivery', async () => {
    const bench = new QueueBench();
    bench.answers = ['never', delivered];
    const [alarm] = await bench.tell('ON_BATTERY');
    const [restored] = await bench.tell('POWER_RESTORED');
    expect(bench.summaries).to.deep.equal([]);
    expect([alarm, restored].map((message) => bench.fate(message ?? { id: '' }))).to.deep.equal([
      'pending',
      'pending',
    ]);
  });

  it('becomes a summary when the delivery of the alarm fails', async () => {
    const bench = new QueueBench();
    bench.answers = ['never', delivered];
    await bench.tell('ON_BATTERY');
    await bench.tell('POWER_RESTORED');
    await bench.time.pass(15_000);
    expect(bench.types).to.deep.equal(['ON_BATTERY', 'POWER_RESTORED']);
    expect(bench.summaries.length).to.equal(1);
    expect(bench.queue.state.pending).to.equal(0);
  });

  it('stays two messages once the alarm is delivered', async () => {
    const bench = new QueueBench();
    await bench.tell('ON_BATTERY');
    await bench.tell('POWER_RESTORED');
    expect(bench.types).to.deep.equal(['ON_BATTERY', 'POWER_RESTORED']);
    expect(bench.summaries).to.deep.equal([]);
  });

  const time = new FakeTime();

  it('is not merged with the outage of another UPS', () => {
    const waiting = [
      news('ON_BATTERY', time, 30, 'a'),
      news('ON_BATTERY', time, 20, 'b'),
      news('POWER_RESTORED', time, 10, 'a'),
    ];
    const found = coalesceMessages(waiting, () => 20);
    expect(found.map(({ replaced }) => replaced)).to.deep.equal([[waiting[0], waiting[2]]]);
    expect(found[0]?.summary().text).to.contain('on line power 20\u00a0s later');
    expect(found[0]?.summary()).to.deep.include({ source: 'a', urgent: true, at: waiting[2]?.at });
  });

  it('is not merged with messages in between or with a running outage', () => {
    const waiting = [
      news('ON_BATTERY', time, 50),
      news('SHUTDOWN_TRIGGERED', time, 40),
      news('POWER_RESTORED', time, 30),
      news('ON_BATTERY', time, 20),
    ];
    expect(coalesceMessages(waiting, () => 20).flatMap(({ replaced }) => replaced)).to.deep.equal([
      waiting[0],
      waiting[2],
    ]);
  });

  it('is not merged where the clock was set between its messages', () => {
    const waiting = [news('ON_BATTERY', time, 3_600), news('POWER_RESTORED', time, 10)];
    expect(coalesceMessages(waiting, () => 27)).to.deep.equal([]);
    expect(coalesceMessages(waiting, () => 3_590)).to.have.length(1);
  });

  it('becomes one summary for each of several outages', () => {
    const waiting = (['ON_BATTERY', 'POWER_RESTORED', 'ON_BATTERY', 'POWER_RESTORED'] as const).map(
      (type, index) => news(type, time, 50 - index),
    );
    expect(coalesceMessages(waiting, () => 20).length).to.equal(2);
  });
});
