// Which frames a worker may send in which phase. A violation kills the worker.
import type { UpFrame } from '../../shared/protocol/frame.js';

/** The phases in which a worker has a link; child.ts draws them. */
export type Phase = 'handshake' | 'configuring' | 'ready' | 'draining';

type Kind = UpFrame['kind'];

const permits: Readonly<Record<Phase, readonly Kind[]>> = {
  // Only its process is known: it may say who it is.
  handshake: ['hello'],
  // It has its settings and starts: it may report and ask, but no request has been sent to it.
  configuring: ['heartbeat', 'log', 'event', 'ask', 'ready'],
  ready: ['heartbeat', 'log', 'event', 'ask', 'answer', 'failure'],
  draining: ['heartbeat', 'log', 'event', 'ask', 'answer', 'failure', 'drained'],
};

/** True when a worker in `phase` may send a frame of this kind. */
export function isPermitted(phase: Phase, kind: Kind): boolean {
  return permits[phase].includes(kind);
}

/** The numbers of a worker's events and asks must grow, so that a replay is detected. */
export class Numbering {
  #last = 0;

  /** False when the frame is a replay. */
  advance(id: number): boolean {
    if (id <= this.#last) return false;
    this.#last = id;
    return true;
  }
}
