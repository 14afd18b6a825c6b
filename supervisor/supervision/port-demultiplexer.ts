// Splits the link of a process into one port for the process itself and one for each of its members.
import type { RelayedFrame } from '../../shared/protocol/worker-host.js';
import { relayedFrame } from '../../shared/protocol/worker-host.js';
import type { Clock } from '../../shared/runtime/clock.js';
import { EmitterPort } from '../../shared/runtime/emitter-port.js';
import { FloodGauge, framesPerWindow } from '../../shared/runtime/flood-gauge.js';
import type { Port } from '../../shared/runtime/port.js';

/** How many members may send at their limit before the process counts as flooding. */
const busyMembers = 4;

export class PortDemultiplexer {
  /** Frames of the process itself and of unknown members; the link on this port rejects those that are not in its contract. */
  readonly own: EmitterPort;
  readonly #port: Port;
  readonly #clock: Clock;
  readonly #onFlood: () => void;
  readonly #gauge = new FloodGauge(framesPerWindow * busyMembers);
  readonly #members = new Map<number, EmitterPort>();
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

  /** The port of a member; numbers only grow. The process reports the end of a member, this port never does. */
  portOf(member: number): Port {
    this.#highest = Math.max(this.#highest, member);
    const port = new EmitterPort({
      postMessage: (frame) => this.#port.postMessage({ member, frame } satisfies RelayedFrame),
      close: () => void this.#members.delete(member),
    });
    this.#members.set(member, port);
    return port;
  }

  allowForStall(stalledMs: number): void {
    this.#gauge.allowForStall(this.#clock.monotonicMs(), stalledMs);
  }

  #receive(frame: unknown, bytes?: number): void {
    if (this.#flooded) return;
    if (this.#gauge.count(this.#clock.monotonicMs(), bytes)) {
      this.#flooded = true;
      this.#onFlood();
      return;
    }
    const relayed = relayedFrame(frame);
    // A late frame of an ended member has a known number; an unknown number is a violation by the process.
    if (relayed === undefined || relayed.member > this.#highest) this.own.arrive(frame);
    else this.#members.get(relayed.member)?.arrive(relayed.frame);
  }
}
