// The poller in a thread and in a process, driven by frames without a supervisor.
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { DownFrame, UpFrame } from '../../../shared/protocol/frame.js';
import type { PollerSettings, UpsPolled } from '../../../shared/protocol/poller.js';
import { linkFileDescriptor, supervisorPidVariable } from '../../../shared/runtime/worker-runtime.js';
import { pipePort } from '../../../shared/runtime/pipe-port.js';
import type { Port } from '../../../shared/runtime/port.js';
import { threadPort } from '../../../shared/runtime/thread-port.js';
import { until } from '../../fixtures/real-upsd.js';

const entry = new URL('../../../workers/poller/worker.js', import.meta.url);

export type Hosting = 'thread' | 'process';

export class PollerUnderTest {
  readonly frames: UpFrame[] = [];
  readonly polls: UpsPolled[] = [];
  ended = false;
  readonly #port: Port<DownFrame>;
  readonly #kill: () => void;
  #nextId = 1;

  constructor(hosting: Hosting) {
    const home = hosting === 'thread' ? this.#thread() : this.#process();
    this.#port = home.port;
    this.#kill = home.kill;
    this.#port.on('message', (frame) => this.#heard(frame as UpFrame));
  }

  configure(settings: PollerSettings): void {
    this.#port.postMessage({ kind: 'configure', settings });
  }

  drain(): void {
    this.#port.postMessage({ kind: 'drain', deadlineMs: 2000 });
  }

  async request(name: string, params: unknown): Promise<UpFrame> {
    const id = this.#nextId++;
    this.#port.postMessage({ kind: 'request', id, name, params, deadlineMs: 5000 });
    const isIts = (frame: UpFrame): boolean =>
      (frame.kind === 'answer' || frame.kind === 'failure') && frame.id === id;
    await until(`${name} is answered`, () => this.frames.some(isIts));
    return this.frames.find(isIts) ?? { kind: 'heartbeat' };
  }

  async untilPolls(count: number): Promise<void> {
    const before = this.polls.length;
    await until(`${String(count)} more polls`, () => this.polls.length >= before + count);
  }

  stop(): void {
    this.#port.close();
    this.#kill();
  }

  #heard(frame: UpFrame): void {
    this.frames.push(frame);
    if (frame.kind !== 'event') return;
    this.polls.push(frame.body as UpsPolled);
    this.#port.postMessage({ kind: 'acknowledge', id: frame.id });
  }

  #thread(): { port: Port; kill: () => void } {
    const { port1, port2 } = new MessageChannel();
    const worker = new Worker(entry, { workerData: { link: port2 }, transferList: [port2] });
    worker.once('exit', () => (this.ended = true));
    return { port: threadPort(port1), kill: () => void worker.terminate() };
  }

  #process(): { port: Port; kill: () => void } {
    const stdio = Array.from({ length: linkFileDescriptor + 1 }, (_, fd) =>
      fd === linkFileDescriptor ? ('pipe' as const) : ('inherit' as const),
    );
    const child: ChildProcess = spawn(process.execPath, [fileURLToPath(entry)], {
      stdio,
      env: { PATH: process.env['PATH'], [supervisorPidVariable]: String(process.pid) },
    });
    child.once('exit', () => (this.ended = true));
    return {
      port: pipePort(child.stdio[linkFileDescriptor] as Duplex),
      kill: () => void child.kill('SIGKILL'),
    };
  }
}
