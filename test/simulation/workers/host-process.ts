// A simulated process that hosts poller threads: implements the host's contract on the worker's end of a link, relays the
// frames of its threads, and dies, hangs or never gets ready on command.
import { hostContract } from '../../../shared/protocol/host.js';
import { WorkerLink } from '../../../shared/runtime/worker-link.js';
import { EmitterPort } from '../../../shared/runtime/emitter-port.js';
import type { Port } from '../../../shared/runtime/port.js';
import type { End, WorkerInstance } from '../../../supervisor/supervision/worker-instance.js';
import { PollerThread } from './poller-thread.js';
import type { ThreadOptions } from './poller-thread.js';
import type { Wire } from './wire.js';

const bootMs = 60;
const beatMs = 500;
/** From a signal to the report of the end. */
const deathMs = 5;

export class HostProcess implements WorkerInstance {
  readonly port: Port;
  /** The worker's `hello` has the PID of the real process it runs in. */
  readonly pid = process.pid;
  readonly threads = new Map<number, PollerThread>();
  readonly #parts: ThreadOptions;
  readonly #wire: Wire;
  readonly #link: WorkerLink<typeof hostContract>;
  readonly #ports = new Map<number, EmitterPort>();
  #told: (end: End) => void = () => undefined;
  #dead = false;
  #hangs = false;
  #configured = false;

  /** `comesUp`: false for a process that starts and never sends a frame. */
  constructor(parts: ThreadOptions, wire: Wire, comesUp: boolean) {
    this.#parts = parts;
    this.#wire = wire;
    this.port = wire.supervisor;
    const own = new EmitterPort({ postMessage: (frame) => this.#post(frame) });
    wire.worker.on('message', (frame) => {
      if (this.#hangs || this.#dead) return;
      const thread = threadOf(frame);
      if (thread === null) own.arrive(frame);
      else this.#ports.get(thread.number)?.arrive(thread.frame);
    });
    this.#link = new WorkerLink(hostContract, own);
    this.#serve();
    if (!comesUp) return;
    parts.after(bootMs, () => {
      if (!this.#dead) this.#link.hello();
    });
    this.#beat();
  }

  onEnd(listener: (end: End) => void): void {
    this.#told = listener;
  }

  kill(): void {
    this.die('SIGKILL');
  }

  /** Ends with all its threads. */
  die(message: string): void {
    if (this.#dead) return;
    this.#dead = true;
    for (const thread of this.threads.values()) thread.end();
    this.#parts.after(deathMs, () => this.#told({ reason: 'ended', message, notAtFault: false }));
  }

  hang(): void {
    this.#hangs = true;
    for (const thread of this.threads.values()) thread.hang();
  }

  /** One of its threads ends by itself. */
  endThread(number: number, message: string): void {
    this.threads.get(number)?.end();
    this.threads.delete(number);
    this.#ports.delete(number);
    this.#link.emit('thread.ended', { thread: number, reason: 'error', message });
  }

  /** The supervisor has died: no frame arrives any more. */
  cut(): void {
    this.#dead = true;
    for (const thread of this.threads.values()) thread.end();
    this.#wire.cut();
  }

  #serve(): void {
    this.#link.serve({
      configure: () => {
        if (!this.#configured) this.#link.ready();
        this.#configured = true;
      },
      request: {
        'thread.start': ({ thread }) => {
          const port = this.#portOf(thread);
          this.threads.set(thread, new PollerThread(this.#parts, port));
          return Promise.resolve({ ok: true, value: {} });
        },
        'thread.end': ({ thread }) => {
          this.threads.get(thread)?.end();
          this.threads.delete(thread);
          return Promise.resolve({ ok: true, value: {} });
        },
      },
      drain: () => this.#link.drained(),
      lost: () => this.die('its supervisor is gone'),
    });
  }

  #portOf(thread: number): Port {
    const port = new EmitterPort({ postMessage: (frame) => this.#post({ thread, frame }) });
    this.#ports.set(thread, port);
    return port;
  }

  #post(frame: unknown): void {
    if (!this.#hangs && !this.#dead) this.#wire.worker.postMessage(frame);
  }

  #beat(): void {
    this.#parts.after(beatMs, () => {
      if (this.#dead) return;
      if (this.#configured) this.#link.heartbeat();
      this.#beat();
    });
  }
}

function threadOf(frame: unknown): { readonly number: number; readonly frame: unknown } | null {
  if (typeof frame !== 'object' || frame === null) return null;
  if (!('thread' in frame) || !('frame' in frame)) return null;
  return typeof frame.thread === 'number' ? { number: frame.thread, frame: frame.frame } : null;
}
