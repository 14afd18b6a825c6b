import { expect } from 'chai';
import type { DownFrame, UpFrame } from '../../../shared/protocol/frame.js';
import { EmitterPort } from '../../../shared/runtime/emitter-port.js';
import type { Downlink } from '../../../shared/runtime/worker-link.js';
import { WorkerLink } from '../../../shared/runtime/worker-link.js';
import type { EchoContract, EchoSettings } from '../../fixtures/workers/echo.js';
import { echoContract, plainSettings } from '../../fixtures/workers/echo.js';

const nothingToDo = () => Promise.resolve({ ok: true, value: {} } as const);

/** The worker's end of a link, and what the supervisor at its other end sees. */
class Bench {
  readonly sent: UpFrame[] = [];
  readonly configured: EchoSettings[] = [];
  lost = '';
  readonly #port = new EmitterPort({ postMessage: (frame) => void this.sent.push(frame as UpFrame) });
  readonly link = new WorkerLink(echoContract, this.#port);

  constructor() {
    const request = new Proxy(
      {},
      {
        has: () => true,
        get: (_, name) => (name === 'throw' ? () => Promise.reject(new Error('a bug')) : nothingToDo),
      },
    ) as Downlink<EchoContract>['request'];
    this.link.serve({
      configure: (settings) => void this.configured.push(settings),
      request,
      drain: () => undefined,
      lost: (reason) => (this.lost = reason),
    });
  }

  receives(...frames: readonly DownFrame[]): void {
    for (const frame of frames) this.#port.arrive(frame);
  }

  /** The numbers of the events that it has sent. */
  get events(): readonly number[] {
    return this.sent.flatMap((frame) => (frame.kind === 'event' ? [frame.id] : []));
  }
}

describe("a worker's end of its link", () => {
  let bench: Bench;
  beforeEach(() => (bench = new Bench()));
  const emit = (count: number): boolean[] =>
    Array.from({ length: count }, (_, number) => bench.link.emit('number.counted', { number }));
  const asked = (name: string, params: unknown = {}): DownFrame => ({
    kind: 'request',
    id: 1,
    name,
    params,
    deadlineMs: 1000,
  });

  it('sends 64 events ahead, and more as they are acknowledged', () => {
    emit(100);
    expect(bench.events).to.have.length(64);
    bench.receives({ kind: 'acknowledge', id: bench.events[31] ?? 0 });
    expect(bench.events).to.have.length(96);
  });

  it('keeps a thousand events for a supervisor that does not read, and counts what it drops', () => {
    const taken = emit(1066);
    expect(taken.filter(Boolean)).to.have.length(1064);
    expect(bench.link.dropped).to.equal(2);
  });

  it('answers an exception as a bug of its own', async () => {
    bench.receives(asked('throw'));
    await new Promise(setImmediate);
    const error = { code: 'WORKER_ERROR', message: 'a bug' };
    expect(bench.sent).to.deep.equal([{ kind: 'failure', id: 1, error }]);
  });

  it('answers a request that its contract does not have, or whose parameters it cannot read, as invalid', async () => {
    bench.receives(asked('toString'), asked('echo', { text: 1 }));
    await new Promise(setImmediate);
    expect(
      bench.sent.map((frame) => (frame.kind === 'failure' ? frame.error.code : frame.kind)),
    ).to.deep.equal(['INVALID_MESSAGE', 'INVALID_MESSAGE']);
  });

  it('ends with settings that it cannot read, and takes others', () => {
    bench.receives({ kind: 'configure', settings: plainSettings });
    bench.receives({ kind: 'configure', settings: { ...plainSettings, beatMs: 'often' } });
    expect(bench.configured).to.deep.equal([plainSettings]);
    expect(bench.lost).to.match(/^undecodable settings: beatMs /);
  });

  it('answers its own ask with a failure when the deadline passes, and drops the late answer', async () => {
    const outcome = await bench.link.ask('double', { number: 1 }, 5);
    expect(outcome).to.have.nested.property('error.code', 'DEADLINE_EXCEEDED');
    bench.receives({ kind: 'answer', id: 1, result: { number: 2 } });
    expect(bench.lost).to.equal('');
  });
});
