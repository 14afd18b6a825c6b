// Parts the link of a host process into one port for the host itself and one for each of its threads.
import { decode } from '../../shared/domain/decode.js';
import { RelayedFrame, isRelayed } from '../../shared/protocol/host.js';
import type { Clock } from '../../shared/runtime/clock.js';
import { FloodGauge, framesPerWindow } from '../../shared/runtime/flood-gauge.js';
import type { Closing, FrameListener, Port } from '../../shared/runtime/port.js';

/** Threads that may flood before the process as a whole does: each has a gauge of its own, at both ends. */
const honestThreads = 4;

export class PortDemultiplexer {
  /** The host's own frames, and every frame for no thread: the link on it knows what is no frame of a host. */
  readonly own: Port;
  readonly #port: Port;
  readonly #clock: Clock;
  readonly #onFlood: () => void;
  readonly #gauge = new FloodGauge(framesPerWindow * honestThreads);
  readonly #threads = new Map<number, FrameListener>();
  #highest = 0;
  #ownFrame: FrameListener = () => undefined;
  #flooded = false;

  constructor(port: Port, clock: Clock, onFlood: () => void) {
    this.#port = port;
    this.#clock = clock;
    this.#onFlood = onFlood;
    this.own = {
      post: (frame) => port.post(frame),
      onFrame: (listener) => {
        this.#ownFrame = listener;
        port.onFrame((frame, bytes) => this.#receive(frame, bytes));
      },
      onClosed: (listener: (why: Closing) => void) => port.onClosed(listener),
      close: () => port.close(),
    };
  }

  /** The port of a thread; numbers only grow. Its end is told by the host, never by this port. */
  portOf(thread: number): Port {
    this.#highest = Math.max(this.#highest, thread);
    return {
      post: (frame) => this.#port.post({ thread, frame } satisfies RelayedFrame),
      onFrame: (listener) => void this.#threads.set(thread, listener),
      onClosed: () => undefined,
      close: () => void this.#threads.delete(thread),
    };
  }

  forgive(stalledMs: number): void {
    this.#gauge.forgive(this.#clock.monotonicMs(), stalledMs);
  }

  #receive(frame: unknown, bytes?: number): void {
    if (this.#flooded) return;
    if (this.#gauge.count(this.#clock.monotonicMs(), bytes)) {
      this.#flooded = true;
      this.#onFlood();
      return;
    }
    const relayed = isRelayed(frame) ? decode(RelayedFrame, frame) : undefined;
    // A number never given is no late frame of a thread that has ended: the host lies.
    if (relayed?.ok !== true || relayed.value.thread > this.#highest) this.#ownFrame(frame);
    else this.#threads.get(relayed.value.thread)?.(relayed.value.frame);
  }
}
