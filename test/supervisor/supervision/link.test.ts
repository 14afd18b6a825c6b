import { expect } from 'chai';
import type { Outcome } from '../../../shared/protocol/contract.js';
import { failureOf } from '../../../shared/protocol/contract.js';
import type { DownFrame, UpFrame } from '../../../shared/protocol/frame.js';
import { EmitterPort } from '../../../shared/runtime/emitter-port.js';
import { SupervisorLink } from '../../../supervisor/supervision/link.js';
import type { Phase } from '../../../supervisor/supervision/permits.js';
import { FakeTime } from '../../fixtures/fake-time.js';
import { echoContract } from '../../fixtures/workers/echo.js';

/** The supervisor's end of a link, and what the worker at its other end sees. */
class Bench {
  readonly time = new FakeTime();
  readonly sent: DownFrame[] = [];
  readonly handled: number[] = [];
  readonly logged: (readonly [string, number])[] = [];
  /** What was acknowledged when an event was handled. */
  readonly acknowledgedBefore: number[] = [];
  phase: Phase = 'ready';
  ended = '';
  answer: () => Promise<Outcome<{ number: number }>> = () => new Promise(() => undefined);
  readonly bugs: string[] = [];
  /** A frame that is too long throws. */
  isTooLong = false;
  readonly #port = new EmitterPort({
    postMessage: (frame) => {
      if (this.isTooLong) throw new RangeError('a frame of 5000000 bytes is too long');
      this.sent.push(frame as DownFrame);
    },
  });
  readonly link = new SupervisorLink(
    {
      name: 'echo:test',
      contract: echoContract,
      onEvent: {
        'number.counted': (body) => this.#handle(body),
        'number.changed': (body) => this.#handle(body),
      },
      asks: { double: () => this.answer() },
    },
    this.#port,
    this.time,
    {
      phase: () => this.phase,
      frameReceived: () => undefined,
      greeted: () => undefined,
      ready: () => undefined,
      drained: () => undefined,
      log: ({ logger }, dropped) => void this.logged.push([logger, dropped]),
      broken: (reason, message) => (this.ended = `${reason}: ${message}`),
      closed: (reason) => (this.ended = reason),
      bug: (message) => void this.bugs.push(message),
    },
  );

  receives(...frames: readonly UpFrame[]): void {
    for (const frame of frames) this.#port.arrive(frame);
  }

  get acknowledged(): readonly number[] {
    return this.sent.flatMap((frame) => (frame.kind === 'acknowledge' ? [frame.id] : []));
  }

  #handle({ number }: { readonly number: number }): void {
    this.handled.push(number);
    this.acknowledgedBefore.push(this.acknowledged.length);
  }
}

const counted = (id: number, body: unknown = { number: id }): UpFrame => ({
  kind: 'event',
  id,
  name: 'number.counted',
  body,
});
const double = (id: number): UpFrame => ({
  kind: 'ask',
  id,
  name: 'double',
  params: { number: id },
  deadlineMs: 1000,
});
const record = { timestamp: 1, level: 'info', logger: 'supervisor', message: 'all is well' } as const;

describe('the link to a worker', () => {
  let bench: Bench;
  beforeEach(() => (bench = new Bench()));

  for (const [what, frame, reason] of [
    [
      'a frame that its phase does not permit',
      { kind: 'drained' },
      'drained, which is not permitted while it is ready',
    ],
    [
      'an event that its contract does not have',
      { ...counted(1), name: 'fire' },
      'which its contract does not have',
    ],
    ['a body that cannot be read', counted(1, { number: 'one' }), 'which cannot be read'],
    ['an answer that nobody has asked for', { kind: 'answer', id: 7, result: {} }, 'which is not pending'],
  ] as readonly (readonly [string, UpFrame, string])[]) {
    it(`ends with ${what}`, () => {
      bench.receives(frame, counted(2));
      expect(bench.ended)
        .to.match(/^violation: /)
        .and.to.contain(reason);
      expect(bench.handled).to.deep.equal([]);
    });
  }

  it('says once that a request is too long, and goes on', async () => {
    bench.isTooLong = true;
    for (let times = 0; times < 3; times += 1) {
      const outcome = await bench.link.request('echo', { text: 'a' }, 1_000);
      expect(outcome).to.deep.include({ ok: false });
    }
    expect(bench.bugs).to.have.length(1);
    expect(bench.bugs[0]).to.match(
      /^echo cannot be sent to it \(RangeError: a frame of 5000000 bytes is too long\)/,
    );
    bench.isTooLong = false;
    void bench.link.request('echo', { text: 'a' }, 1_000);
    expect(bench.sent.at(-1)).to.deep.include({ kind: 'request', name: 'echo' });
  });

  it('ends with an event or an ask that comes again', () => {
    bench.receives(counted(1), counted(2), counted(2));
    expect(bench.ended).to.contain('again (number 2)');
    expect(bench.handled).to.deep.equal([1, 2]);
    bench = new Bench();
    bench.receives(double(1), double(1));
    expect(bench.ended).to.contain('the ask double again (number 1)');
  });

  it('ends with a flood of frames', () => {
    for (let count = 0; count < 2400; count += 1) bench.receives({ kind: 'heartbeat' });
    expect(bench.ended).to.equal('');
    bench.receives({ kind: 'heartbeat' });
    expect(bench.ended).to.match(/^flood: /);
  });

  it('acknowledges events once they are handled, half of the credit at once and the rest within a second', () => {
    for (let id = 1; id <= 32; id += 1) bench.receives(counted(id));
    expect(bench.acknowledged).to.deep.equal([32]);
    expect(bench.acknowledgedBefore.at(-1)).to.equal(0);
    bench.receives(counted(33));
    bench.time.advance(1000);
    bench.link.tick(0);
    expect(bench.acknowledged).to.deep.equal([32, 33]);
  });

  it('answers 64 asks at a time and refuses further ones', async () => {
    let release = (): void => undefined;
    const wait = new Promise<void>((resolve) => (release = resolve));
    bench.answer = () => wait.then(() => failureOf('UNLUCKY', 'no'));
    for (let id = 1; id <= 65; id += 1) bench.receives(double(id));
    expect(bench.sent).to.have.length(1);
    expect(bench.sent[0]).to.deep.include({ kind: 'failure', id: 65 });
    release();
    await new Promise(setImmediate);
    expect(bench.sent).to.have.length(65);
    bench.receives(double(66));
    await new Promise(setImmediate);
    expect(bench.sent.at(-1)).to.deep.include({ kind: 'failure', id: 66 });
    expect(bench.ended).to.equal('');
  });

  it('passes a log record on under the name of the worker, and counts those above its rate', () => {
    for (let count = 0; count < 1003; count += 1) bench.receives({ kind: 'log', record, dropped: 0 });
    expect(bench.logged).to.have.length(1000);
    expect(bench.logged[0]).to.deep.equal(['echo:test', 0]);
    bench.time.advance(1000);
    bench.receives({ kind: 'log', record, dropped: 2 });
    expect(bench.logged.at(-1)).to.deep.equal(['echo:test', 5]);
  });
});
