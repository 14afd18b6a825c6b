// A poller thread of a host process: the real poller on the worker's end of a link, with a simulated NUT server. It can
// hang, flood and send malformed frames on command.
import type { PollerSettings } from '../../../shared/protocol/poller.js';
import { pollerContract } from '../../../shared/protocol/poller.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import { EmitterPort } from '../../../shared/runtime/emitter-port.js';
import type { Port } from '../../../shared/runtime/port.js';
import { WorkerLink } from '../../../shared/runtime/worker-link.js';
import { Poller } from '../../../workers/poller/poller.js';
import type { NutTransport } from '../../../workers/poller/transport.js';

/** The heartbeat interval of worker-main.ts, and the time from the start of a thread to its first frame. */
const beatMs = 500;
const bootMs = 80;
/** More than a correct worker sends in a second. */
const floodFrames = 3_000;

export interface ThreadOptions {
  readonly monotonicMs: () => number;
  readonly after: (ms: number, run: () => void) => () => void;
  readonly transportOf: (settings: PollerSettings) => NutTransport;
}

export class PollerThread {
  readonly #parts: ThreadOptions;
  readonly #port: Port;
  #poller: Poller | null = null;
  /** In an endless loop: its event loop is blocked. */
  #hangs = false;
  #over = false;
  groupId: string | null = null;

  constructor(parts: ThreadOptions, port: Port) {
    this.#parts = parts;
    this.#port = port;
    const turning = new EmitterPort({
      postMessage: (frame) => this.#whileItTurns(() => port.postMessage(frame)),
      start: () => void port.on('message', (frame) => this.#whileItTurns(() => turning.arrive(frame))),
    });
    const link = new WorkerLink(pollerContract, turning);
    const unasked = (): Promise<Outcome<never>> =>
      Promise.resolve({ ok: false, error: { code: 'NOT_PERMITTED', message: 'nobody asks for this here' } });
    link.serve({
      configure: (settings) => this.#configure(settings, link),
      request: {
        'command.run': unasked,
        'variable.write': unasked,
        'output.off': unasked,
        'commands.list': unasked,
        'variables.list': unasked,
      },
      drain: () => link.drained(),
      lost: () => this.end(),
    });
    parts.after(bootMs, () => this.#whileItTurns(() => link.hello()));
    this.#beat(link);
  }

  hang(): void {
    this.#hangs = true;
  }

  flood(): void {
    for (let frame = 0; frame < floodFrames; frame += 1) this.#port.postMessage({ kind: 'heartbeat' });
  }

  babble(): void {
    this.#port.postMessage({ kind: 'event', id: -1, name: 'ups.polled', body: 'nonsense' });
  }

  end(): void {
    this.#over = true;
    this.#poller?.stop();
  }

  #configure(settings: PollerSettings, link: WorkerLink<typeof pollerContract>): void {
    this.groupId = settings.groupId;
    if (this.#poller !== null) {
      this.#poller.reconfigure(settings);
      return;
    }
    this.#poller = new Poller(
      {
        monotonicMs: this.#parts.monotonicMs,
        after: (ms, run) => this.#parts.after(ms, () => this.#whileItTurns(run)),
        transportOf: this.#parts.transportOf,
        polled: (report) => link.emit('ups.polled', report),
      },
      settings,
    );
    link.ready();
  }

  #beat(link: WorkerLink<typeof pollerContract>): void {
    this.#parts.after(beatMs, () => {
      if (this.#over) return;
      if (this.#poller !== null) this.#whileItTurns(() => link.heartbeat());
      this.#beat(link);
    });
  }

  #whileItTurns(run: () => void): void {
    if (!this.#hangs && !this.#over) run();
  }
}
