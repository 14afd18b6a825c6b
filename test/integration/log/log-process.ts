// The real log process over its real link, with a standard error chosen by the test.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LogRecord } from '../../../shared/domain/status/log-record.js';
import type { DownFrame, UpFrame } from '../../../shared/protocol/frame.js';
import type { LogSettings } from '../../../shared/protocol/log.js';
import type { Port } from '../../../shared/runtime/port.js';
import { startWorkerProcess } from '../../fixtures/worker-process.js';

const entry = fileURLToPath(new URL('../../../workers/log/worker.js', import.meta.url));

export const plainSettings: LogSettings = {
  format: 'text',
  level: 'info',
  file: null,
  syslog: null,
  secrets: [],
};

export class LogProcess {
  readonly child: ChildProcess;
  readonly #port: Port<DownFrame>;
  readonly #frames: ((frame: UpFrame) => void)[] = [];
  heartbeats = 0;
  #id = 0;

  private constructor(standardError: number | 'pipe') {
    const { child, port } = startWorkerProcess(entry, standardError);
    this.child = child;
    this.#port = port;
    this.#port.on('message', (frame) => {
      const up = frame as UpFrame;
      if (up.kind === 'heartbeat') this.heartbeats += 1;
      for (const listener of this.#frames) listener(up);
    });
  }

  static async start(settings: Partial<LogSettings>, standardError: number | 'pipe'): Promise<LogProcess> {
    const log = new LogProcess(standardError);
    const ready = log.#frame((frame) => frame.kind === 'ready');
    log.configure(settings);
    await ready;
    return log;
  }

  configure(settings: Partial<LogSettings>): void {
    this.#port.postMessage({ kind: 'configure', settings: { ...plainSettings, ...settings } });
  }

  /** Resolves with the number of lines that the process reports as lost. */
  async write(records: readonly LogRecord[], dropped = 0): Promise<number> {
    const result = await this.#request('records.write', { records, dropped });
    return (result as { dropped: number }).dropped;
  }

  async reopenFile(): Promise<void> {
    await this.#request('file.reopen', {});
  }

  async heartbeat(): Promise<void> {
    await this.#frame((frame) => frame.kind === 'heartbeat');
  }

  /** Resolves when the process has exited without a signal. */
  async drain(deadlineMs: number): Promise<void> {
    const ended = once(this.child, 'exit');
    this.#port.postMessage({ kind: 'drain', deadlineMs });
    await ended;
  }

  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await ended;
  }

  async #request(name: string, params: unknown): Promise<unknown> {
    this.#id += 1;
    const id = this.#id;
    const answer = this.#frame(
      (frame) => (frame.kind === 'answer' || frame.kind === 'failure') && frame.id === id,
    );
    this.#port.postMessage({ kind: 'request', id, name, params, deadlineMs: 5000 });
    const frame = await answer;
    if (frame.kind === 'answer') return frame.result;
    throw new Error(frame.kind === 'failure' ? frame.error.message : frame.kind);
  }

  #frame(wanted: (frame: UpFrame) => boolean): Promise<UpFrame> {
    return new Promise((resolve) => {
      const listener = (frame: UpFrame): void => {
        if (!wanted(frame)) return;
        this.#frames.splice(this.#frames.indexOf(listener), 1);
        resolve(frame);
      };
      this.#frames.push(listener);
    });
  }
}
