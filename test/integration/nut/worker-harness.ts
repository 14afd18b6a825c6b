// The poller as a member of its real process, driven by frames without a supervisor.
import { spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { DownFrame, UpFrame } from '../../../shared/protocol/frame.js';
import { relayedFrame } from '../../../shared/protocol/worker-host.js';
import type { PollerSettings, PollReport } from '../../../shared/protocol/poller.js';
import { linkFileDescriptor, supervisorPidVariable } from '../../../shared/runtime/worker-runtime.js';
import { pipePort } from '../../../shared/runtime/pipe-port.js';
import { EmitterPort } from '../../../shared/runtime/emitter-port.js';
import type { Port } from '../../../shared/runtime/port.js';
import { until } from '../../fixtures/until.js';

const entry = new URL('../../../workers/poller/worker.js', import.meta.url);

const member = 1;

export class PollerUnderTest {
  readonly frames: UpFrame[] = [];
  readonly polls: PollReport[] = [];
  /** The member has left its process, or that has ended. */
  ended = false;
  readonly #port: Port<DownFrame>;
  readonly #kill: () => void;
  #nextId = 1;

  constructor() {
    const stdio = Array.from({ length: linkFileDescriptor + 1 }, (_, fd) =>
      fd === linkFileDescriptor ? ('pipe' as const) : ('inherit' as const),
    );
    const child = spawn(process.execPath, [fileURLToPath(entry)], {
      stdio,
      env: { PATH: process.env['PATH'], [supervisorPidVariable]: String(process.pid) },
    });
    child.once('exit', () => (this.ended = true));
    this.#kill = () => void child.kill('SIGKILL');
    const link = pipePort(child.stdio[linkFileDescriptor] as Duplex);
    const early: DownFrame[] = [];
    let greeted = false;
    this.#port = new EmitterPort({
      postMessage: (frame) =>
        greeted ? link.postMessage({ member, frame }) : early.push(frame as DownFrame),
      close: () => link.close(),
    });
    link.on('message', (raw) => {
      const relayed = relayedFrame(raw);
      if (relayed !== undefined) this.#received(relayed.frame as UpFrame);
      else if ((raw as UpFrame).kind === 'event') this.ended = true;
      if (relayed === undefined || greeted) return;
      greeted = true;
      for (const frame of early) this.#port.postMessage(frame);
    });
    link.postMessage({ kind: 'configure', settings: {} });
    link.postMessage({
      kind: 'request',
      id: 0,
      name: 'member.start',
      params: { member },
      deadlineMs: 20_000,
    });
  }

  configure(settings: PollerSettings): void {
    this.#port.postMessage({ kind: 'configure', settings });
  }

  drain(): void {
    this.#port.postMessage({ kind: 'drain', deadlineMs: 2000 });
  }

  async request(name: string, params: unknown): Promise<UpFrame> {
    const id = this.#nextId++;
    this.#port.postMessage({ kind: 'request', id, name, params, deadlineMs: 20_000 });
    const isIts = (frame: UpFrame): boolean =>
      (frame.kind === 'answer' || frame.kind === 'failure') && frame.id === id;
    await until(() => this.frames.some(isIts));
    return this.frames.find(isIts) ?? { kind: 'heartbeat' };
  }

  async untilPolls(count: number): Promise<void> {
    const before = this.polls.length;
    await until(() => this.polls.length >= before + count);
  }

  stop(): void {
    this.#port.close();
    this.#kill();
  }

  #received(frame: UpFrame): void {
    this.frames.push(frame);
    if (frame.kind !== 'event') return;
    this.polls.push(frame.body as PollReport);
    this.#port.postMessage({ kind: 'acknowledge', id: frame.id });
  }
}
