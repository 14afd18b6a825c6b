// How workers start and stop, and what happens when they cannot.
import { expect } from 'chai';
import type { EchoHandle } from './harness.js';
import { Harness } from './harness.js';
import { until } from '../../fixtures/until.js';

describe('a starting worker', () => {
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness();
  });
  afterEach(() => harness.end());

  const lost = () => until(() => harness.losses.length > 0);

  const limits = { startDeadlineMs: 500 };

  it('that never sends hello is killed at its deadline, as a process and as a member of one', async () => {
    const handles = [
      harness.process('mute', { entry: 'mute', limits }),
      harness.member('mute member', 'one', { entry: 'mute', limits }),
    ];
    await until(() => handles.every(({ name }) => harness.losses.some((loss) => loss.name === name)));
    for (const { reason, message } of harness.losses) {
      expect(reason).to.equal('start-overdue');
      expect(message).to.contain('hello');
    }
  });

  it('that never becomes ready is killed at its deadline', async () => {
    const limits = { startDeadlineMs: 1500 };
    harness.process('unready', { settings: { neverReady: true }, limits });
    await lost();
    expect(harness.losses[0]).to.include({ reason: 'start-overdue' });
    expect(harness.losses[0]?.message).to.contain('ready');
  });

  it('that spins before its first message is killed at its deadline', async () => {
    harness.process('spinning', { entry: 'spinning', limits });
    await lost();
    expect(harness.losses[0]).to.include({ reason: 'start-overdue' });
  });

  it('that dies every time is restarted with a growing backoff', async () => {
    const handle = harness.process('dying', { settings: { atStart: 'exit' } });
    await until(() => harness.losses.length >= 4);
    const pauses = harness.records.flatMap(({ message }) => /; it restarts (.*)$/.exec(message)?.[1] ?? []);
    expect(pauses).to.deep.equal(['now', 'in 1 s', 'in 2 s', 'in 4 s']);
    expect(handle.state).to.equal('waiting');
    expect(await handle.request('echo', { text: '' }, 1000)).to.have.nested.property(
      'error.code',
      'WORKER_GONE',
    );
  });

  it('that does not exist leaves its last output in the log', async () => {
    harness.process('missing', { entry: 'missing' });
    await lost();
    expect(harness.losses[0]).to.include({ reason: 'ended' });
    const words = harness.records.find(({ message }) => message.startsWith('last output of missing'));
    expect(words?.message).to.contain('Cannot find module');
  });
});

describe('a stopping worker', () => {
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness();
  });
  afterEach(() => harness.end());

  for (const place of ['process', 'member'] as const) {
    const killed = (name: string): boolean =>
      harness.records.some(({ message }) =>
        new RegExp(`${name} (did not finish|ended before)`).test(message),
      );
    const start = (name: string, ignoreDrain: boolean): EchoHandle => {
      const changes = { settings: { ignoreDrain }, limits: { stopDeadlineMs: ignoreDrain ? 800 : 20_000 } };
      return place === 'process' ? harness.process(name, changes) : harness.member(name, 'one', changes);
    };

    it(`drains as a ${place} and is not restarted`, async () => {
      const handle = start('honest', false);
      await harness.ready(handle);
      await handle.stop();
      expect(killed('honest')).to.equal(false);
      expect(handle.state).to.equal('stopped');
      expect(harness.losses).to.deep.equal([]);
    });

    it(`that ignores the drain as a ${place} is killed at its deadline`, async () => {
      const handle = start('stubborn', true);
      await harness.ready(handle);
      await handle.stop();
      expect(harness.losses).to.deep.equal([]);
      expect(killed('stubborn')).to.equal(true);
    });
  }

  it('stops during its start and during its backoff', async () => {
    const starting = harness.process('starting');
    const dying = harness.process('dying', { settings: { atStart: 'exit' } });
    await until(() => dying.state === 'waiting' && harness.losses.length >= 2);
    await Promise.all([starting.stop(), dying.stop()]);
    expect([starting.state, dying.state]).to.deep.equal(['stopped', 'stopped']);
  });

  it('stops in the given order, and at the deadline in any case', async () => {
    const order: string[] = [];
    // Longer than the limit of this test: only the common deadline can end the first in time.
    const limits = { stopDeadlineMs: 600_000 };
    const first = harness.process('first', { settings: { ignoreDrain: true }, limits });
    const second = harness.process('second', { limits });
    await harness.ready(first, second);
    const stopping = harness.supervision.stopAll(['second', 'first'], 1000);
    void second.stop().then(() => order.push(`second, first ${first.state}`));
    void first.stop().then(() => order.push('first'));
    await stopping;
    expect(order[0]).to.match(/^second, first (ready|draining)$/);
    expect(order[1]).to.equal('first');
  });
});
