// Splits the link of a host process into one port for the host and one for each of its threads.
import { decode } from '../../shared/domain/decode.js';
import { RelayedFrame, isRelayed } from '../../shared/protocol/host.js';
import type { Clock } from '../../shared/runtime/clock.js';
import { EmitterPort } from '../../shared/runtime/emitter-port.js';
import { FloodGauge, framesPerWindow } from '../../shared/runtime/flood-gauge.js';
import type { Port } from '../../shared/runtime/port.js';

/**
 * How many threads may flood before the process counts as flooding: each thread has a gauge of its own at both ends.
 */
const honestThreads = 4;

export class PortDemultiplexer {
  /** The host's own frames and frames for unknown threads: the link on this port rejects what no host sends. */
  readonly own: EmitterPort;
  readonly #port: Port;
  readonly #clock: Clock;
  readonly #onFlood: () => void;
  readonly #gauge = new FloodGauge(framesPerWindow * honestThreads);
  readonly #threads = new Map<number, EmitterPort>();
  #highest = 0;
  #flooded = false;

  constructor(port: Port, clock: Clock, onFlood: () => void) {
    this.#port = port;
    this.#clock = clock;
    this.#onFlood = onFlood;
    this.own = new EmitterPort({
      postMessage: (frame) => port.postMessage(frame),
      start: () => void port.on('message', (frame, bytes) => this.#receive(frame, bytes)),
      close: () => port.close(),
    });
    port.on('close', ({ reason }) => this.own.end(reason));
  }

  /** The port of a thread; numbers only grow. The host reports the end of a thread, this port never does. */
  portOf(thread: number): Port {
    this.#highest = Math.max(this.#highest, thread);
    const port = new EmitterPort({
      postMessage: (frame) => this.#port.postMessage({ thread, frame } satisfies RelayedFrame),
      close: () => void this.#threads.delete(thread),
    });
    this.#threads.set(thread, port);
    return port;
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
    // A late frame of an ended thread has a known number; an unknown number is a violation by the host.
    if (relayed?.ok !== true || relayed.value.thread > this.#highest) this.own.arrive(frame);
    else this.#threads.get(relayed.value.thread)?.arrive(relayed.value.frame);
  }
}
