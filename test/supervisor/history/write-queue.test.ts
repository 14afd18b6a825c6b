import { expect } from 'chai';
import type { EventType } from '../../../shared/domain/status/events.js';
import { metrics } from '../../../shared/domain/status/metrics.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { EventRecord, SampleRecord } from '../../../shared/protocol/storage.js';
import { maxDetailLength } from '../../../shared/protocol/storage.js';
import type { StoredEventRow } from '../../../supervisor/history/write-queue.js';
import { WriteQueue } from '../../../supervisor/history/write-queue.js';
import { FakeTime } from '../../fixtures/fake-time.js';

interface Asked {
  readonly name: string;
  readonly params: unknown;
  readonly answer: (outcome: Outcome<unknown>) => Promise<void>;
}

/** A storage worker whose answers the test gives. */
class Fixture {
  readonly clock = new FakeTime(0);
  readonly asked: Asked[] = [];
  readonly stored: StoredEventRow[] = [];
  readonly dropped: string[] = [];
  readonly begun: string[] = [];
  #nextId = 1;
  readonly queue = new WriteQueue({
    clock: this.clock,
    run: 'run-1',
    flushIntervalMs: 10_000,
    stored: (rows) => this.stored.push(...rows),
    begun: ({ type }) => this.begun.push(type),
    dropped: (message) => this.dropped.push(message),
    storage: {
      request: (name, params) =>
        new Promise((resolve) => {
          this.asked.push({
            name,
            params,
            answer: async (outcome) => {
              resolve(outcome as never);
              await new Promise((done) => setImmediate(done));
            },
          });
        }),
    },
  });

  event(detail: string, type: EventType = 'ON_BATTERY'): void {
    this.queue.record({ at: 5.5, source: 'office', type, detail });
  }

  sample(at: number): void {
    this.queue.sample({ groupId: 'office', at, values: metrics.map(() => at) });
  }

  pass(ms: number): void {
    this.clock.advance(ms);
    this.queue.tick();
  }

  /** The request under way. */
  get present(): Asked {
    const last = this.asked.at(-1);
    if (last === undefined) throw new Error('nothing was asked');
    return last;
  }

  get events(): readonly EventRecord[] {
    return (this.present.params as { events: readonly EventRecord[] }).events;
  }

  get samples(): readonly SampleRecord[] {
    return (this.present.params as { samples: readonly SampleRecord[] }).samples;
  }

  async acceptEvents(): Promise<void> {
    const stored = this.events.map(({ seq }) => ({ seq, id: this.#nextId++ }));
    await this.present.answer({ ok: true, value: { stored, seconds: 0.002 } });
  }

  async acceptSamples(seconds = 0.003): Promise<void> {
    await this.present.answer({ ok: true, value: { stored: this.samples.length, seconds } });
  }

  async refuse(code = 'DISK_FULL'): Promise<void> {
    await this.present.answer({ ok: false, error: { code, message: code } });
  }
}

describe('the queue to storage', () => {
  let fixture: Fixture;
  beforeEach(() => {
    fixture = new Fixture();
  });
  const details = (): string[] => fixture.events.map(({ detail }) => detail);

  it('sends an event immediately, one request at a time, and the later events in order', async () => {
    fixture.event('a');
    fixture.event('b');
    fixture.event('c');
    expect(fixture.asked).to.have.lengthOf(1);
    expect(details()).to.deep.equal(['a']);
    await fixture.acceptEvents();
    expect(details()).to.deep.equal(['b', 'c']);
    await fixture.acceptEvents();
    expect(fixture.stored.map(({ id, ts, detail }) => [id, ts, detail])).to.deep.equal([
      [1, 5, 'a'],
      [2, 5, 'b'],
      [3, 5, 'c'],
    ]);
    expect(fixture.queue.figures.eventsWaiting).to.equal(0);
  });

  it('sends the same events again, with the same numbers, until they are acknowledged', async () => {
    fixture.event('a');
    const first = fixture.events;
    for (const code of ['DISK_FULL', 'WORKER_GONE', 'DEADLINE_EXCEEDED', 'WORKER_ERROR']) {
      await fixture.refuse(code);
      const before = fixture.asked.length;
      fixture.pass(999);
      expect(fixture.asked).to.have.lengthOf(before);
      fixture.pass(1);
      expect(fixture.asked).to.have.lengthOf(before + 1);
      expect(fixture.events).to.deep.equal(first);
    }
    await fixture.acceptEvents();
    fixture.pass(5000);
    expect(fixture.asked).to.have.lengthOf(5);
  });

  it('holds samples for a flush and sends them together', async () => {
    fixture.sample(1);
    fixture.sample(2);
    fixture.pass(9999);
    expect(fixture.asked).to.have.lengthOf(0);
    fixture.pass(1);
    expect(fixture.samples.map(({ at }) => at)).to.deep.equal([1, 2]);
    fixture.sample(3);
    await fixture.acceptSamples();
    expect(fixture.queue.figures.samplesWaiting).to.equal(1);
    fixture.pass(10_000);
    expect(fixture.samples.map(({ at }) => at)).to.deep.equal([3]);
  });

  it('applies a shorter flush interval immediately, and delays no pending flush for a longer one', () => {
    fixture.sample(1);
    fixture.queue.flushIntervalMs = 2000;
    fixture.queue.flushIntervalMs = 60_000;
    fixture.pass(1999);
    expect(fixture.asked).to.have.lengthOf(0);
    fixture.pass(1);
    expect(fixture.samples).to.have.lengthOf(1);
  });

  it('sends events before samples', async () => {
    fixture.sample(1);
    fixture.event('a');
    fixture.pass(10_000);
    await fixture.refuse();
    fixture.event('b');
    fixture.pass(1000);
    expect(details()).to.deep.equal(['a', 'b']);
    await fixture.acceptEvents();
    expect(fixture.present.name).to.equal('samples.append');
  });

  it('sends samples also during a flood of events', async () => {
    fixture.event('a');
    fixture.sample(1);
    fixture.clock.advance(10_000);
    fixture.event('b');
    await fixture.acceptEvents();
    expect(fixture.present.name).to.equal('samples.append');
    fixture.event('c');
    await fixture.acceptSamples();
    expect(details()).to.deep.equal(['b', 'c']);
  });

  it('sends again immediately when the worker has become ready', async () => {
    fixture.event('a');
    await fixture.refuse('WORKER_GONE');
    fixture.queue.ready();
    expect(fixture.asked).to.have.lengthOf(2);
  });

  it('drops and counts the oldest samples, and reports it once', async () => {
    for (let at = 0; at < 50_010; at += 1) fixture.sample(at);
    expect(fixture.queue.figures).to.include({ samplesWaiting: 50_000, samplesDropped: 10 });
    expect(fixture.dropped).to.have.lengthOf(1);
    fixture.pass(10_000);
    expect(fixture.samples[0]?.at).to.equal(10);
    expect(fixture.samples).to.have.lengthOf(5000);
    // The request under way is not dropped: it may be stored already.
    fixture.sample(50_010);
    await fixture.refuse();
    fixture.pass(1000);
    expect(fixture.samples.map(({ at }) => at).slice(0, 2)).to.deep.equal([10, 11]);
  });

  it('writes a backlog in successive batches, without waiting for the next flush', async () => {
    for (let at = 0; at < 12_000; at += 1) fixture.sample(at);
    fixture.pass(10_000);
    await fixture.acceptSamples();
    await fixture.acceptSamples();
    expect(fixture.queue.figures.samplesWaiting).to.equal(2000);
    fixture.pass(10_000);
    await fixture.acceptSamples();
    expect(fixture.queue.figures.samplesWaiting).to.equal(0);
  });

  it('reserves the last quarter of its capacity for power, shutdown and audit events', () => {
    fixture.event('in flight');
    for (let count = 0; count < 12_000; count += 1) fixture.event('lesser', 'BATTERY_ANOMALY');
    expect(fixture.queue.figures).to.include({ eventsWaiting: 7500, eventsDropped: 4501 });
    fixture.event('matters');
    expect(fixture.queue.figures.eventsWaiting).to.equal(7501);
    for (let count = 0; count < 3000; count += 1) fixture.event('matters', 'LOGIN_FAILURE');
    expect(fixture.queue.figures).to.include({ eventsWaiting: 10_000, eventsDropped: 5002 });
    expect(fixture.dropped).to.have.lengthOf(1);
    expect(details()).to.deep.equal(['in flight']);
  });

  it('drops a single event that storage cannot decode, and sends the others', async () => {
    fixture.event('before');
    await fixture.refuse();
    fixture.event('poison');
    fixture.event('after');
    fixture.pass(1000);
    expect(details()).to.deep.equal(['before', 'poison', 'after']);
    await fixture.refuse('INVALID_MESSAGE');
    await fixture.acceptEvents();
    await fixture.refuse('INVALID_MESSAGE');
    expect(details()).to.deep.equal(['poison']);
    await fixture.refuse('INVALID_MESSAGE');
    await fixture.acceptEvents();
    expect(fixture.stored.map(({ detail }) => detail)).to.deep.equal(['before', 'after']);
    expect(fixture.queue.figures).to.include({ eventsWaiting: 0, eventsDropped: 1 });
  });

  it('sends all samples of a flush also when one of them cannot be read', async () => {
    for (let at = 0; at < 300; at += 1) fixture.sample(at);
    fixture.pass(10_000);
    for (let count = 0; count < 60 && fixture.queue.figures.samplesWaiting > 0; count += 1)
      if (fixture.samples.some(({ at }) => at === 100)) await fixture.refuse('INVALID_MESSAGE');
      else await fixture.acceptSamples();
    expect(fixture.queue.figures).to.include({ samplesWaiting: 0, samplesDropped: 1 });
    expect(fixture.dropped).to.have.length(1);
  });

  it('records the start of the run before anything else, and reports its type', async () => {
    const beginning = { bootId: 'boot-a', version: '1.0', at: 3, recovered: null };
    fixture.queue.begin(beginning);
    fixture.event('a');
    expect(fixture.present).to.deep.include({ name: 'run.begin', params: { run: 'run-1', ...beginning } });
    await fixture.refuse('LOCKED');
    fixture.pass(1000);
    await fixture.present.answer({
      ok: true,
      value: { type: 'DAEMON_START', id: 7, ts: 3, detail: 'version 1.0' },
    });
    expect(fixture.begun).to.deep.equal(['DAEMON_START']);
    expect(fixture.stored).to.deep.equal([
      { id: 7, ts: 3, source: 'daemon', type: 'DAEMON_START', detail: 'version 1.0' },
    ]);
    expect(details()).to.deep.equal(['a']);
  });

  it('ends with the samples and the record of the clean stop', async () => {
    fixture.event('a');
    fixture.sample(1);
    let ended = false;
    const end = fixture.queue.end(9.9, 'stopped by a signal').then(() => (ended = true));
    await fixture.acceptEvents();
    expect(fixture.present.name).to.equal('samples.append');
    await fixture.acceptSamples();
    expect(fixture.present.params).to.deep.equal({ run: 'run-1', at: 9.9, detail: 'stopped by a signal' });
    expect(ended).to.equal(false);
    await fixture.present.answer({ ok: true, value: { id: 9, ts: 9 } });
    await end;
    expect(fixture.stored.at(-1)).to.include({ id: 9, type: 'DAEMON_STOP' });
  });

  it('measures the duration of flushes', async () => {
    for (const seconds of [0.004, 0.3, 60]) {
      fixture.sample(1);
      fixture.pass(10_000);
      await fixture.acceptSamples(seconds);
    }
    const { counts, sum } = fixture.queue.figures.flushSeconds;
    expect(counts).to.deep.equal([1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    expect(sum).to.be.closeTo(60.304, 1e-9);
  });

  it('truncates a text that is too long for a frame, between two characters', async () => {
    fixture.event('x'.repeat(5000));
    expect(details()[0]).to.have.lengthOf(maxDetailLength);
    await fixture.acceptEvents();
    fixture.event(`${'x'.repeat(maxDetailLength - 1)}🔋`);
    expect(details()).to.deep.equal(['x'.repeat(maxDetailLength - 1)]);
  });
});
