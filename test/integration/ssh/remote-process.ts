// The remote worker as a process, driven by frames without a supervisor.
import { fileURLToPath } from 'node:url';
import type { DownFrame, UpFrame } from '../../../shared/protocol/frame.js';
import type { RemoteSettings } from '../../../shared/protocol/remote.js';
import { startWorkerProcess } from '../../fixtures/worker-process.js';
import { until } from '../../fixtures/until.js';

const entry = fileURLToPath(new URL('../../../workers/remote/worker.js', import.meta.url));

export class RemoteProcess {
  readonly frames: UpFrame[] = [];
  readonly pid: number;
  readonly #post: (frame: DownFrame) => void;
  readonly #end: () => void;
  readonly #waiting = new Map<number, (frame: UpFrame) => void>();
  #nextId = 1;
  ended = false;

  private constructor(prefix: readonly string[]) {
    const { child, port } = startWorkerProcess(entry, 'inherit', prefix);
    this.pid = child.pid ?? 0;
    this.#post = (frame) => port.postMessage(frame);
    this.#end = () => {
      port.close();
      child.kill('SIGKILL');
    };
    child.once('exit', () => (this.ended = true));
    port.on('message', (raw) => {
      const frame = raw as UpFrame;
      if (frame.kind !== 'heartbeat') this.frames.push(frame);
      if (frame.kind === 'answer' || frame.kind === 'failure') this.#waiting.get(frame.id)?.(frame);
    });
  }

  /** `prefix` executes it, as in a network namespace. */
  static async start(settings: RemoteSettings, prefix: readonly string[] = []): Promise<RemoteProcess> {
    const worker = new RemoteProcess(prefix);
    worker.configure(settings);
    await until(() => worker.frames.some(({ kind }) => kind === 'ready'));
    return worker;
  }

  configure(settings: RemoteSettings): void {
    this.#post({ kind: 'configure', settings });
  }

  get said(): readonly string[] {
    return this.frames.flatMap((frame) => (frame.kind === 'log' ? [frame.record.message] : []));
  }

  async request<R>(name: string, params: object, deadlineMs = 60_000): Promise<R> {
    const id = this.#nextId++;
    const answer = await new Promise<UpFrame>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#post({ kind: 'request', id, name, params, deadlineMs });
    });
    if (answer.kind === 'answer') return answer.result as R;
    throw new Error(JSON.stringify(answer));
  }

  stop(): void {
    this.#end();
  }
}
