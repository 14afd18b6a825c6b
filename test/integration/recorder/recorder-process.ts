// The real recorder in its own process, over its real link, optionally in a sandbox.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Answer, Outcome, Params, RequestName } from '../../../shared/protocol/contract.js';
import { failureOf, linkFailure } from '../../../shared/protocol/contract.js';
import type { DownFrame, UpFrame } from '../../../shared/protocol/frame.js';
import type { recorderContract } from '../../../shared/protocol/recorder.js';
import type { Port } from '../../../shared/runtime/port.js';
import { startWorkerProcess } from '../../fixtures/worker-process.js';

const entry = fileURLToPath(new URL('../../../workers/recorder/worker.js', import.meta.url));

type Requests = (typeof recorderContract)['requests'];
type Recalled = Answer<Requests, 'record.recall'>;

export class RecorderProcess {
  readonly child: ChildProcess;
  heartbeats = 0;
  /** Names of its events. */
  readonly events: string[] = [];
  readonly #port: Port<DownFrame>;
  readonly #open = new Map<number, (outcome: Outcome<unknown>) => void>();
  #id = 0;
  #ready: () => void = () => undefined;

  private constructor(prefix: readonly string[]) {
    ({ child: this.child, port: this.#port } = startWorkerProcess(entry, 'inherit', prefix));
    this.#port.on('message', (frame) => this.#receive(frame as UpFrame));
    this.#port.on('close', () => {
      for (const settle of this.#open.values()) settle(failureOf(linkFailure.gone, 'gone'));
      this.#open.clear();
    });
  }

  static async start(directory: string, prefix: readonly string[] = []): Promise<RecorderProcess> {
    const recorder = new RecorderProcess(prefix);
    const ready = new Promise<void>((resolve) => (recorder.#ready = resolve));
    recorder.#port.postMessage({ kind: 'configure', settings: { directory } });
    await ready;
    return recorder;
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('it was never started');
    return this.child.pid;
  }

  request<N extends RequestName<typeof recorderContract>>(
    name: N,
    params: Params<Requests, N>,
  ): Promise<Outcome<Answer<Requests, N>>> {
    return new Promise((resolve) => {
      const id = ++this.#id;
      // The worker has decoded nothing of it: it is the test that trusts it.
      this.#open.set(id, (outcome) => resolve(outcome as Outcome<Answer<Requests, N>>));
      this.#port.postMessage({ kind: 'request', id, name, params, deadlineMs: 10_000 });
    });
  }

  /** `kept`, or the code of the failure and its message. */
  async keep(group: string, text: string): Promise<string> {
    const outcome = await this.request('record.keep', { group, text });
    return outcome.ok ? 'kept' : `${outcome.error.code}: ${outcome.error.message}`;
  }

  async recall(): Promise<Recalled> {
    const outcome = await this.request('record.recall', { after: '' });
    if (!outcome.ok) throw new Error(outcome.error.message);
    return outcome.value;
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  #receive(frame: UpFrame): void {
    if (frame.kind === 'ready') this.#ready();
    else if (frame.kind === 'heartbeat') this.heartbeats += 1;
    else if (frame.kind === 'event') this.events.push(frame.name);
    else if (frame.kind === 'answer') this.#settle(frame.id, { ok: true, value: frame.result });
    else if (frame.kind === 'failure') this.#settle(frame.id, { ok: false, error: frame.error });
  }

  #settle(id: number, outcome: Outcome<unknown>): void {
    this.#open.get(id)?.(outcome);
    this.#open.delete(id);
  }
}
