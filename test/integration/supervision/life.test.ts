// How workers start and stop, and what becomes of those that cannot.
import { expect } from 'chai';
import { systemClock } from '../../../shared/runtime/clock.js';
import type { EchoHandle } from './harness.js';
import { Harness, until } from './harness.js';

describe('A worker at its start', function () {
  this.timeout(30_000);
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness();
  });
  afterEach(() => harness.end());

  const lost = async (handle: EchoHandle, times = 1): Promise<void> =>
    until(`${handle.name} lost`, 10_000, () => harness.losses.length >= times);

  const limits = { startDeadlineMs: 500 };

  it('that never says hello is killed at its deadline, in a process and in a thread', async () => {
    const handles = [
      harness.process('mute', { entry: 'mute', limits }),
      harness.thread('mute thread', 'one', { entry: 'mute', limits }),
    ];
    await until('both lost', 5000, () =>
      handles.every(({ name }) => harness.losses.some((loss) => loss.name === name)),
    );
    for (const { reason, message } of harness.losses) {
      expect(reason).to.equal('start-overdue');
      expect(message).to.contain('hello');
    }
  });

  it('that never becomes ready is killed at its deadline', async () => {
    const limits = { startDeadlineMs: 1500 };
    await lost(harness.process('unready', { slice: { neverReady: true }, limits }));
    expect(harness.losses[0]).to.include({ reason: 'start-overdue' });
    expect(harness.losses[0]?.message).to.contain('ready');
  });

  it('that spins before anything else is killed at its deadline', async () => {
    await lost(harness.thread('spinning', 'one', { entry: 'spinning', limits }));
    expect(harness.losses[0]).to.include({ reason: 'start-overdue' });
  });

  it('that dies every time is tried again and again, more and more slowly', async () => {
    const handle = harness.process('dying', { slice: { atStart: 'exit' } });
    await until('four lives', 12_000, () => harness.losses.length >= 4);
    const [first = 0, ...later] = harness.losses.map(({ atMs }) => atMs);
    const gaps = later.map((atMs, index) => atMs - (index === 0 ? first : (later[index - 1] ?? 0)));
    // At once, then 1 s, then 2 s, each with a start of the process itself.
    expect(gaps[0]).to.be.below(900);
    expect(gaps[1]).to.be.within(1000, 2000);
    expect(gaps[2]).to.be.within(2000, 3300);
    expect(handle.state).to.equal('waiting');
    expect(await handle.request('echo', { text: '' }, 1000)).to.have.nested.property(
      'error.code',
      'WORKER_GONE',
    );
  });

  it('that does not exist leaves its last words in the log', async () => {
    await lost(harness.process('missing', { entry: 'missing' }));
    expect(harness.losses[0]).to.include({ reason: 'ended' });
    const words = harness.records.find(({ message }) => message.startsWith('last words of missing'));
    expect(words?.message).to.contain('Cannot find module');
  });
});

describe('A worker at its end', function () {
  this.timeout(30_000);
  let harness: Harness;
  beforeEach(() => {
    harness = new Harness();
  });
  afterEach(() => harness.end());

  for (const place of ['process', 'thread'] as const) {
    const start = (name: string, ignoreDrain: boolean): EchoHandle => {
      const changes = { slice: { ignoreDrain }, limits: { stopDeadlineMs: 800 } };
      return place === 'process' ? harness.process(name, changes) : harness.thread(name, 'one', changes);
    };

    it(`drains in a ${place} and is not started again`, async () => {
      const handle = start('honest', false);
      await harness.ready(handle);
      const begun = systemClock.monotonicMs();
      await handle.stop();
      expect(systemClock.monotonicMs() - begun).to.be.below(700);
      expect(handle.state).to.equal('stopped');
      expect(harness.losses).to.deep.equal([]);
    });

    it(`that ignores its order in a ${place} is killed at its deadline`, async () => {
      const handle = start('stubborn', true);
      await harness.ready(handle);
      const begun = systemClock.monotonicMs();
      await handle.stop();
      expect(systemClock.monotonicMs() - begun).to.be.within(800, 2000);
      expect(harness.losses).to.deep.equal([]);
      const said = harness.records.some(({ message }) =>
        /stubborn (did not finish|ended before)/.test(message),
      );
      expect(said).to.equal(true);
    });
  }

  it('is stopped while it starts and while it waits for its next life', async () => {
    const starting = harness.process('starting');
    const dying = harness.process('dying', { slice: { atStart: 'exit' } });
    await until('waiting', 5000, () => dying.state === 'waiting' && harness.losses.length >= 2);
    await Promise.all([starting.stop(), dying.stop()]);
    expect([starting.state, dying.state]).to.deep.equal(['stopped', 'stopped']);
  });

  it('goes in the order given, and at the deadline whatever it does', async () => {
    const order: string[] = [];
    const limits = { stopDeadlineMs: 20_000 };
    const first = harness.process('first', { slice: { ignoreDrain: true }, limits });
    const second = harness.process('second', { limits });
    await harness.ready(first, second);
    const begun = systemClock.monotonicMs();
    const stopping = harness.supervision.stopAll(['second', 'first'], 1000);
    void second.stop().then(() => order.push(`second, first ${first.state}`));
    void first.stop().then(() => order.push('first'));
    await stopping;
    expect(order[0]).to.match(/^second, first (ready|draining)$/);
    expect(order[1]).to.equal('first');
    expect(systemClock.monotonicMs() - begun).to.be.within(900, 2500);
  });
});
