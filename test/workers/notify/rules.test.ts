import { expect } from 'chai';
import type { EventType } from '../../../shared/domain/status/events.js';
import type { Notification } from '../../../shared/domain/services/notification.js';
import { timeSpan } from '../../../shared/domain/base/time-span.js';
import type { ServiceSettings } from '../../../shared/protocol/notify.js';
import { delivered } from '../../../workers/notify/services/outcome.js';
import { inTimeZone } from '../../fixtures/time-zone.js';
import { down, news, plainRules, QueueBench } from './fixture.js';

const withRules = (rules: Partial<ServiceSettings>): QueueBench =>
  new QueueBench({
    rules: { ...plainRules, ...rules },
    sources: [{ groupId: 'office', name: 'office@localhost', label: 'Office' }],
  });
const texts = (bench: QueueBench): readonly string[] => bench.sent.map(({ message }) => message.text);

describe('a service with "after"', () => {
  const held = (rules: Partial<ServiceSettings> = {}): QueueBench => withRules({ afterMs: 30_000, ...rules });

  it('gets ON_BATTERY once the outage has lasted so long, and then its end', async () => {
    const bench = held();
    await bench.tell('ON_BATTERY');
    await bench.time.pass(29_900);
    expect(bench.types).to.deep.equal([]);
    await bench.time.pass(200);
    expect(bench.seconds).to.deep.equal([30]);
    await bench.tell('POWER_RESTORED');
    expect(bench.types).to.deep.equal(['ON_BATTERY', 'POWER_RESTORED']);
  });

  it('gets every other safety event at once', async () => {
    const bench = held();
    await bench.tell('ON_BATTERY', 'OVERLOAD_ACTIVE', 'CONNECTION_LOST');
    expect(bench.types).to.deep.equal(['OVERLOAD_ACTIVE', 'CONNECTION_LOST']);
  });

  it('gets nothing of an hour of blips every 10 s', async () => {
    const bench = held();
    const all: Notification[] = [];
    for (let blip = 0; blip < 360; blip += 1) {
      all.push(...(await bench.tell('ON_BATTERY')));
      await bench.time.pass(1000);
      all.push(...(await bench.tell('POWER_RESTORED')));
      await bench.time.pass(9000);
    }
    await bench.time.pass(3_600_000);
    expect(bench.sent).to.deep.equal([]);
    expect(bench.queue.state.pending).to.equal(0);
    expect(new Set(all.map((one) => bench.fate(one)))).to.deep.equal(new Set(['coalesced']));
  });

  it('gets one digest of an hour of blips every 10 s', async () => {
    const bench = held({ digestMs: 3_600_000 });
    for (let blip = 0; blip < 359; blip += 1) {
      await bench.tell('ON_BATTERY');
      await bench.time.pass(1000);
      await bench.tell('POWER_RESTORED');
      await bench.time.pass(9000);
    }
    expect(bench.sent).to.deep.equal([]);
    await bench.time.pass(10_000);
    expect(texts(bench)).to.have.length(1);
    expect(texts(bench)[0]).to.match(
      /^359 times briefly on battery from .+ to .+: Office 359\. Power is back; unless it was a battery test/,
    );
    expect(bench.queue.state.pending).to.equal(0);
  });

  it('gets the outage that lasts among blips', async () => {
    const bench = held();
    for (let blip = 0; blip < 10; blip += 1) {
      await bench.tell('ON_BATTERY');
      await bench.time.pass(1000);
      await bench.tell('POWER_RESTORED');
      await bench.time.pass(1000);
    }
    await bench.tell('ON_BATTERY');
    await bench.time.pass(31_000);
    expect(bench.types).to.deep.equal(['ON_BATTERY']);
  });

  it('gets what waits at once when a shutdown begins, and what comes after it', async () => {
    const bench = held();
    await bench.tell('ON_BATTERY');
    await bench.time.pass(5000);
    await bench.tell('SHUTDOWN_TRIGGERED');
    expect([...bench.types].sort()).to.deep.equal(['ON_BATTERY', 'SHUTDOWN_TRIGGERED']);
    await bench.take(news('ON_BATTERY', bench.time, 0, 'rack'));
    expect(bench.sent.at(-1)?.message.source).to.equal('rack');
  });

  it('gets one digest of earlier blips, also after a shutdown began', async () => {
    const bench = held({ digestMs: 600_000 });
    for (let blip = 0; blip < 5; blip += 1) {
      await bench.tell('ON_BATTERY');
      await bench.tell('POWER_RESTORED');
    }
    await bench.tell('SHUTDOWN_TRIGGERED');
    expect(bench.types).to.deep.equal(['SHUTDOWN_TRIGGERED']);
    await bench.time.pass(600_000);
    expect(texts(bench).at(-1)).to.match(/^5 times briefly on battery /);
    expect(bench.sent).to.have.length(2);
  });

  it('waits on after a restart of the worker, and not from the start', async () => {
    const bench = held();
    await bench.take(news('ON_BATTERY', bench.time, 20));
    await bench.time.pass(9000);
    expect(bench.sent).to.deep.equal([]);
    await bench.time.pass(2000);
    expect(bench.types).to.deep.equal(['ON_BATTERY']);
  });

  it('holds a message that waits when the daemon ends', async () => {
    const bench = held();
    const [alarm] = await bench.tell('ON_BATTERY');
    await bench.queue.drain();
    expect(bench.sent).to.deep.equal([]);
    expect(alarm === undefined ? '' : bench.fate(alarm)).to.equal('pending');
  });

  it('gets a summary of an outage that lasted longer while the service was down', async () => {
    const bench = held();
    bench.answers = [down];
    await bench.tell('OVERLOAD_ACTIVE');
    await bench.tell('ON_BATTERY');
    await bench.time.pass(45_000);
    await bench.tell('POWER_RESTORED');
    expect(bench.summaries.map(({ urgent }) => urgent)).to.deep.equal([true]);
  });

  it('takes no end of an outage for that of a later one when the clock was set back between the two', async () => {
    const bench = withRules({});
    bench.answers = [down];
    await bench.tell('POWER_RESTORED');
    bench.time.step(-3600);
    await bench.time.pass(10_000);
    const [outage] = await bench.tell('ON_BATTERY');
    bench.answers = [delivered];
    await bench.time.pass(600_000);
    expect(outage === undefined ? '' : bench.fate(outage)).to.equal('sent');
    expect(bench.summaries).to.deep.equal([]);
  });

  it('takes no step of the wall clock for the end of an outage', async () => {
    const bench = held();
    await bench.tell('ON_BATTERY');
    bench.time.step(-7200);
    await bench.time.pass(10_000);
    expect(bench.sent).to.deep.equal([]);
    bench.time.step(14_400);
    await bench.time.pass(10_000);
    expect(bench.sent).to.deep.equal([]);
    await bench.time.pass(11_000);
    expect(bench.types).to.deep.equal(['ON_BATTERY']);
  });
});

describe('a service with "quiet" in Berlin', () => {
  inTimeZone('Europe/Berlin');
  const quiet = timeSpan('23:00-06:30') ?? null;
  const at = (bench: QueueBench, local: string): void =>
    bench.time.step(new Date(local).getTime() / 1000 - bench.time.wallSeconds());
  const clockOf = (bench: QueueBench, local: string): number[] => {
    const start = new Date(local).getTime();
    return bench.sent.map(({ atMs }) => (start + atMs - 1_000_000) / 1000);
  };
  const unix = (text: string): number => Date.parse(text) / 1000;

  it('gets safety events at any hour, and what may be suppressed at the end of the quiet hours', async () => {
    const bench = withRules({ quiet });
    at(bench, '2026-01-10T23:00:00');
    await bench.tell('BATTERY_REPLACE', 'CONNECTION_LOST', 'VOLTAGE_NORMALIZED');
    expect(bench.types).to.deep.equal(['CONNECTION_LOST']);
    await bench.time.pass(7 * 3_600_000 + 29 * 60_000);
    expect(bench.types).to.deep.equal(['CONNECTION_LOST']);
    await bench.time.pass(120_000);
    expect(bench.types).to.deep.equal(['CONNECTION_LOST', 'BATTERY_REPLACE', 'VOLTAGE_NORMALIZED']);
  });

  it('gets the end of an outage at night after its begin, and not alone', async () => {
    const bench = withRules({ quiet });
    at(bench, '2026-01-10T02:00:00');
    await bench.tell('ON_BATTERY');
    await bench.tell('POWER_RESTORED');
    expect(bench.types).to.deep.equal(['ON_BATTERY', 'POWER_RESTORED']);
    await bench.tell('POWER_RESTORED');
    expect(bench.sent).to.have.length(2);
  });

  it('gets them at 06:30 of the wall clock in the night that loses an hour', async () => {
    const bench = withRules({ quiet });
    at(bench, '2026-03-28T23:10:00');
    await bench.tell('BATTERY_REPLACE');
    await bench.time.pass(10 * 3_600_000);
    const [sentAt = 0] = clockOf(bench, '2026-03-28T23:10:00');
    expect(sentAt).to.be.within(unix('2026-03-29T06:30:00+02:00'), unix('2026-03-29T06:31:00+02:00'));
  });

  it('gets them at 06:30 of the wall clock in the night that gains an hour', async () => {
    const bench = withRules({ quiet });
    at(bench, '2026-10-24T23:10:00');
    await bench.tell('BATTERY_REPLACE');
    await bench.time.pass(10 * 3_600_000);
    const [sentAt = 0] = clockOf(bench, '2026-10-24T23:10:00');
    expect(sentAt).to.be.within(unix('2026-10-25T06:30:00+01:00'), unix('2026-10-25T06:31:00+01:00'));
  });

  it('is not quiet for ever when its end is in the hour that does not exist', async () => {
    const bench = withRules({ quiet: timeSpan('23:00-02:30') ?? null });
    at(bench, '2026-03-29T01:59:00');
    await bench.tell('BATTERY_REPLACE');
    await bench.time.pass(120_000);
    const [sentAt = 0] = clockOf(bench, '2026-03-29T01:59:00');
    expect(sentAt).to.be.within(unix('2026-03-29T03:00:00+02:00'), unix('2026-03-29T03:01:00+02:00'));
  });

  it('follows a clock that is set', async () => {
    const bench = withRules({ quiet });
    at(bench, '2026-01-10T23:30:00');
    await bench.tell('BATTERY_REPLACE');
    at(bench, '2026-01-11T12:00:00');
    await bench.time.pass(60_000);
    expect(bench.types).to.deep.equal(['BATTERY_REPLACE']);
  });

  it('sends at the end of the daemon only what may be sent at that hour', async () => {
    const bench = withRules({ quiet });
    at(bench, '2026-01-10T23:30:00');
    const types: EventType[] = ['BATTERY_REPLACE'];
    await bench.tell(...types);
    await bench.queue.drain();
    expect(bench.sent).to.deep.equal([]);
  });
});
