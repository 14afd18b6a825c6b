import { expect } from 'chai';
import fc from 'fast-check';
import { messageFor } from '../../../supervisor/events/messages.js';
import { settled } from '../../fixtures/fake-time.js';
import { configurationFrom, office } from '../config/loading.js';
import { configuration, Parts, services } from './notify-parts.js';

describe('the notification queue of the supervisor', () => {
  it('sends a message to the worker and to storage immediately', async () => {
    const parts = new Parts();
    parts.ready();
    await settled();
    parts.tell();
    await settled();
    expect(parts.worker.waiting.map(({ task }) => task.notification)).to.deep.equal(
      services.map(() => ({
        id: 'run-1',
        at: parts.time.wallSeconds(),
        source: 'office',
        type: 'ON_BATTERY',
        text: 'Office is on battery.',
        urgent: true,
      })),
    );
    expect(parts.storage.waiting).to.deep.equal(services.map((service) => `run-1 ${service}`));
  });

  it('sends no suppressed message, and nothing without a service', async () => {
    const parts = new Parts();
    parts.ready();
    parts.notifications.notify({ source: 'office', type: 'POWER_RESTORED', detail: 'Back.' });
    await settled();
    expect(parts.storage.rows.size).to.equal(0);
    const without = new Parts(configurationFrom(office));
    without.tell();
    await settled();
    expect(without.storage.asked).to.deep.equal([]);
    expect(await without.notifications.test()).to.deep.equal({ ok: true, value: { services: [] } });
  });

  it('works from memory while storage is down, and stores its rows when storage is back', async () => {
    const parts = new Parts();
    parts.storage.up = false;
    parts.ready();
    parts.tell();
    await parts.pass(5000);
    parts.worker.deliver(1);
    await parts.pass(5000);
    expect(parts.worker.delivered.length).to.equal(1);
    parts.storage.up = true;
    await parts.pass(2000);
    expect(parts.storage.waiting).to.deep.equal([`run-1 ${services[1] ?? ''}`]);
  });

  it('sends a request to a storage that is down at most once a second', async () => {
    const parts = new Parts();
    parts.storage.up = false;
    parts.ready();
    parts.tell();
    await parts.pass(10_000);
    expect(parts.storage.asked.length).to.be.within(9, 12);
  });

  it('sends a restarted worker all pending messages at once, also while storage is down', async () => {
    const parts = new Parts();
    parts.ready();
    for (let count = 0; count < 8; count += 1) parts.tell();
    await parts.pass(1000);
    parts.worker.deliver(3);
    await parts.pass(1000);
    parts.lost();
    parts.storage.up = false;
    parts.tell('while both are down');
    await parts.pass(1000);
    parts.ready();
    await settled();
    const waiting = (): string[] => parts.worker.waiting.map(({ task }) => task.notification.id);
    expect(waiting().length).to.equal(18 - 3);
    expect(new Set(waiting()).size).to.equal(8);
    parts.storage.up = true;
    await parts.pass(5000);
    expect(waiting().length).to.equal(18 - 3);
    expect(new Set(parts.storage.waiting).size).to.equal(18 - 3);
  });

  it('sends in a restarted daemon what the previous one did not deliver', async () => {
    const before = new Parts();
    before.ready();
    before.tell();
    await before.pass(1000);
    before.worker.deliver(1);
    await before.pass(1000);
    const after = new Parts();
    for (const [id, row] of before.storage.rows) after.storage.rows.set(id, row);
    after.ready();
    await after.pass(1000);
    expect(after.worker.waiting.map(({ service }) => service)).to.deep.equal([services[1]]);
  });

  it('records a summary of the worker, and its delivery', async () => {
    const parts = new Parts();
    parts.ready();
    const [service = ''] = services;
    const at = parts.time.wallSeconds();
    const delivery = { service, state: 'pending', reason: null, attempts: 0, at } as const;
    const summary = { id: 'a+b', at, source: 'office', type: 'POWER_RESTORED', text: 'Both.', urgent: true };
    parts.worker.report({
      summaries: [summary],
      deliveries: [{ notification: 'a+b', delivery }],
      services: [],
    });
    await parts.pass(500);
    expect(parts.storage.waiting).to.deep.equal([`a+b ${service}`]);
  });

  it('keeps nothing that its worker invents: no service, no delivery to one, no page of a summary', async () => {
    const parts = new Parts();
    parts.ready();
    parts.tell();
    await parts.pass(500);
    const [service = ''] = services;
    const at = parts.time.wallSeconds();
    const pendingTo = (to: string) =>
      ({ service: to, state: 'pending', reason: null, attempts: 1, at }) as const;
    const summary = { id: 'a+b', at, source: 'office', type: 'POWER_RESTORED', text: 'Both.', urgent: true };
    parts.worker.report({
      summaries: [{ ...summary, html: 'x'.repeat(30_000) }],
      deliveries: [
        { notification: 'run-1', delivery: pendingTo('invented') },
        { notification: 'invented', delivery: pendingTo('invented') },
        { notification: 'a+b', delivery: pendingTo(service) },
      ],
      services: [
        { id: service, pending: 2, failures: 0, fault: '' },
        { id: 'invented', pending: 5, failures: 3, fault: 'none' },
      ],
    });
    await parts.pass(1_000);
    expect(parts.notifications.telemetry.pending).to.equal(2);
    expect(parts.storage.waiting).to.deep.equal([...services.map((one) => `run-1 ${one}`), `a+b ${service}`]);
    expect(parts.storage.rows.get('a+b')?.notification).to.deep.equal(summary);
  });

  it('says in a dry run that nothing is shut down', async () => {
    const parts = new Parts(
      configurationFrom(
        `${office}[behavior]\ndry_run = true\n[notifications]\nurls = ["ntfys://ntfy.example/one"]\n`,
      ),
    );
    parts.ready();
    // Words of the detail, as a label has them, decide nothing.
    const detail = 'dry run room: shutdown begins. LOW_BATTERY: charge 15 %.';
    parts.notifications.notify({ source: 'office', type: 'SHUTDOWN_TRIGGERED', detail });
    parts.tell();
    await settled();
    expect(parts.worker.waiting.map(({ task }) => task.notification.text)).to.deep.equal([
      `${detail} This is a dry run: nothing is shut down.`,
      'Office is on battery.',
    ]);
  });

  it('counts pending, sent and cancelled messages', async () => {
    const parts = new Parts();
    parts.ready();
    parts.tell();
    await settled();
    parts.worker.deliver(1);
    const at = parts.time.wallSeconds();
    parts.worker.report({
      summaries: [],
      deliveries: [
        {
          notification: 'run-1',
          delivery: { service: services[1] ?? '', state: 'cancelled', reason: 'overflow', attempts: 0, at },
        },
      ],
      services: [{ id: services[0] ?? '', pending: 7, failures: 0, fault: '' }],
    });
    expect(parts.notifications.telemetry).to.deep.include({ pending: 7, sent: 1, cancelled: 1 });
  });

  it('ends when the state of every message is recorded, or at its deadline', async () => {
    const parts = new Parts();
    parts.ready();
    await parts.pass(500);
    parts.tell();
    await settled();
    parts.worker.deliver(2);
    const ending = parts.notifications.finish('SIGTERM', 2000);
    await parts.pass(250);
    await ending;
    expect(parts.worker.stopped).to.equal(true);
    expect(parts.storage.waiting).to.deep.equal([]);
    const stuck = new Parts();
    stuck.storage.up = false;
    stuck.tell();
    let ended = false;
    void stuck.notifications.finish('SIGTERM', 2000).then(() => (ended = true));
    await stuck.pass(1750);
    expect(ended).to.equal(false);
    await stuck.pass(500);
    expect(ended).to.equal(true);
  });

  it('starts its worker when a reload adds the first service, and keeps it', () => {
    const parts = new Parts(configurationFrom(office));
    parts.notifications.apply(configuration);
    parts.notifications.apply(configurationFrom(office));
    expect(parts.worker.reconfigured).to.have.length(1);
    expect(parts.worker.reconfigured[0]).to.deep.include({ services: [] });
  });

  it('names the UPS in the messages of its battery', () => {
    const event = { source: 'office', detail: 'score 12 of 100 (confidence 70 %)' } as const;
    for (const type of [
      'BATTERY_HEALTH_WARNING',
      'BATTERY_HEALTH_CRITICAL',
      'BATTERY_REPLACEMENT_PREDICTED',
      'SELF_TEST_FAILED',
    ] as const)
      expect(messageFor({ ...event, type }, 'Rack A')).to.match(/of Rack A .*score 12 of 100/);
  });

  it('words the end of a sequence, and leaves the messages of policy to policy', () => {
    const message = messageFor(
      {
        source: 'office',
        type: 'SHUTDOWN_STEP_FAILED',
        detail: 'sync (nas): timed out',
      },
      '',
    );
    expect(message).to.match(
      /^A step of a shutdown failed: sync \(nas\): timed out\. The sequence continues/,
    );
    for (const type of ['ON_BATTERY', 'SHUTDOWN_TRIGGERED', 'QUORUM_LOST', 'CONTROL_COMMAND'] as const)
      expect(messageFor({ source: 'office', type, detail: '' }, '')).to.equal(undefined);
  });

  it('neither loses nor repeats a message under random failures', async () => {
    const happening = fc.oneof(
      { weight: 4, arbitrary: fc.constant('message' as const) },
      { weight: 3, arbitrary: fc.constant('deliver' as const) },
      fc.constantFrom(
        'storage down' as const,
        'storage up' as const,
        'storage answer lost' as const,
        'worker lost' as const,
        'worker ready' as const,
        'worker answer lost' as const,
        'second' as const,
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { maxLength: 40 }), async (happenings) => {
        const parts = new Parts();
        let messages = 0;
        for (const what of happenings) {
          if (what === 'message') {
            messages += 1;
            parts.tell();
          }
          if (what === 'deliver') parts.worker.deliver(2);
          if (what === 'storage down') parts.storage.up = false;
          if (what === 'storage up') parts.storage.up = true;
          if (what === 'storage answer lost') parts.storage.losesAnswer = true;
          if (what === 'worker lost' && parts.worker.ready) parts.lost();
          if (what === 'worker ready' && !parts.worker.ready) parts.ready();
          if (what === 'worker answer lost') parts.worker.losesAnswer = true;
          if (what === 'second') await parts.pass(1000);
          await settled();
        }
        parts.storage.up = true;
        if (!parts.worker.ready) parts.ready();
        await parts.pass(30_000);
        parts.worker.deliver(1000);
        await parts.pass(5000);
        const expected = Array.from({ length: messages }, (_, index) =>
          services.map((service) => `run-${String(index + 1)} ${service}`),
        ).flat();
        expect([...parts.worker.delivered].sort()).to.deep.equal(expected.sort());
        expect(parts.storage.waiting).to.deep.equal([]);
      }),
      { numRuns: 60 },
    );
  });
});
