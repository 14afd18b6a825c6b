import { expect } from 'chai';
import type { EventType } from '../../../shared/domain/status/events.js';
import { settled } from '../../fixtures/fake-time.js';
import { configurationFrom, office } from '../config/loading.js';
import { Parts } from '../workers/notify-parts.js';

const service = '[[notifications.services]]\nurl = "ntfys://ntfy.example/one"\n';

describe('mains that flicker', () => {
  const partsWith = (rules = ''): Parts => {
    const parts = new Parts(configurationFrom(`${office}${service}${rules}`));
    parts.ready();
    return parts;
  };
  const tell = (parts: Parts, type: EventType, source = 'office'): void =>
    parts.notifications.notify({ source, type, detail: `${type} of ${source}.` });
  const outage = async (parts: Parts, seconds: number, source = 'office'): Promise<void> => {
    tell(parts, 'ON_BATTERY', source);
    await parts.pass(seconds * 1000);
    tell(parts, 'POWER_RESTORED', source);
  };
  const flicker = async (parts: Parts, times: number, source = 'office'): Promise<void> => {
    for (let count = 0; count < times; count += 1) {
      await outage(parts, 3, source);
      await parts.pass(5_000);
    }
  };
  const sent = async (parts: Parts) => {
    await settled();
    return parts.worker.waiting.map(({ task }) => task.notification);
  };
  const types = async (parts: Parts): Promise<string> =>
    (await sent(parts)).map(({ type }) => type).join(' ');
  const pair = 'ON_BATTERY POWER_RESTORED';

  it('are two outages and two messages, however often they flicker', async () => {
    const parts = partsWith();
    await flicker(parts, 15);
    expect(await types(parts)).to.equal(`${pair} ${pair} POWER_FLICKERS`);
    await parts.pass(600_000);
    const messages = await sent(parts);
    expect(messages.map(({ type }) => type).join(' ')).to.equal(
      `${pair} ${pair} POWER_FLICKERS POWER_FLICKERS`,
    );
    expect(messages.at(-2)).to.deep.include({ urgent: true, source: 'office' });
    expect(messages.at(-2)?.text).to.match(/flicker: 3 times on battery within 16\ss\. /);
    expect(messages.at(-1)).to.have.property('urgent', false);
    expect(messages.at(-1)?.text).to.match(
      /have flickered: 15 times on battery within (112\ss|2\smin|1\smin)/,
    );
    // The next ones are reported again.
    await flicker(parts, 2);
    expect(await types(parts)).to.match(new RegExp(`POWER_FLICKERS ${pair} ${pair}$`));
  });

  it('are counted for each UPS alone', async () => {
    const parts = partsWith();
    await flicker(parts, 2, 'a');
    await flicker(parts, 2, 'b');
    expect(await types(parts)).to.equal([pair, pair, pair, pair].join(' '));
  });

  it('are none where the outages are far apart', async () => {
    const parts = partsWith();
    for (let count = 0; count < 5; count += 1) {
      await outage(parts, 3);
      await parts.pass(300_000);
    }
    expect(await types(parts)).to.equal([pair, pair, pair, pair, pair].join(' '));
  });

  it('hide no outage that lasts a minute, which is told then with its begin', async () => {
    const parts = partsWith();
    await flicker(parts, 4);
    const began = parts.time.wallSeconds();
    tell(parts, 'ON_BATTERY');
    await parts.pass(59_000);
    expect(await types(parts)).to.match(/POWER_FLICKERS$/);
    await parts.pass(1_250);
    expect(await types(parts)).to.match(/POWER_FLICKERS ON_BATTERY$/);
    expect((await sent(parts)).at(-1)).to.deep.include({ at: began, text: 'ON_BATTERY of office.' });
    tell(parts, 'POWER_RESTORED');
    expect(await types(parts)).to.match(/POWER_FLICKERS ON_BATTERY POWER_RESTORED$/);
  });

  for (const [type, source] of [
    ['LOW_BATTERY_FLAG', 'office'],
    ['FSD_DETECTED', 'office'],
    ['CONNECTION_LOST', 'office'],
    ['SHUTDOWN_TRIGGERED', 'office'],
    ['SHUTDOWN_TRIGGERED', 'a-group'],
  ] as const)
    it(`hold no ${type} of ${source}, and the outage is told before it`, async () => {
      const parts = partsWith();
      await flicker(parts, 4);
      tell(parts, 'ON_BATTERY');
      tell(parts, type, source);
      expect(await types(parts)).to.match(new RegExp(`POWER_FLICKERS ON_BATTERY ${type}$`));
    });

  it('are left to the rules of a service that waits a minute for the end of an outage', async () => {
    const parts = partsWith('after = 60\n');
    await flicker(parts, 4);
    expect(await types(parts)).to.equal([pair, pair, pair, pair].join(' '));
  });

  it('are those outages of which a service with a shorter wait is told', async () => {
    const parts = partsWith('after = 5\n');
    await flicker(parts, 4);
    expect(await types(parts)).to.equal([pair, pair, pair, pair].join(' '));
    for (let count = 0; count < 4; count += 1) {
      await outage(parts, 8);
      await parts.pass(5_000);
    }
    expect(await types(parts)).to.equal([pair, pair, pair, pair, pair, pair, 'POWER_FLICKERS'].join(' '));
  });

  it('hold an outage that is stored at once, and sent by the daemon that follows one that was killed', async () => {
    const parts = partsWith();
    await flicker(parts, 3);
    const began = parts.time.wallSeconds();
    tell(parts, 'ON_BATTERY');
    await parts.pass(250);
    expect(await types(parts)).to.match(/POWER_FLICKERS$/);
    const next = new Parts(configurationFrom(`${office}${service}`));
    for (const [id, row] of parts.storage.rows) next.storage.rows.set(id, row);
    next.ready();
    await next.pass(250);
    expect((await sent(next)).at(-1)).to.deep.include({ type: 'ON_BATTERY', at: began });
  });

  it('leave nothing to be sent later of an outage that ended in time', async () => {
    const parts = partsWith();
    await flicker(parts, 3);
    const before = parts.storage.waiting.length;
    await flicker(parts, 1);
    await parts.pass(61_000);
    expect(parts.storage.waiting).to.have.length(before);
    const last = [...parts.storage.rows.values()].at(-1);
    expect(last?.notification.type).to.equal('ON_BATTERY');
    expect([...(last?.deliveries.values() ?? [])][0]).to.include({ state: 'cancelled', reason: 'coalesced' });
    expect(await types(parts)).to.match(/POWER_FLICKERS$/);
  });

  it('are stored when the daemon ends, with the outage that is not told yet', async () => {
    const parts = partsWith();
    await flicker(parts, 4);
    tell(parts, 'ON_BATTERY');
    void parts.notifications.finish('stop', 1_000);
    await settled();
    const { rows, waiting } = parts.storage;
    const pending = waiting.map((delivery) => rows.get(delivery.split(' ')[0] ?? '')?.notification.type);
    expect(pending.slice(-3)).to.deep.equal(['POWER_FLICKERS', 'ON_BATTERY', 'POWER_FLICKERS']);
  });
});
