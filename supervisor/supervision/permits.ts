// Who may say what in which phase of a worker's life. The supervisor keeps this table; a violation kills the speaker.
import type { UpFrame } from '../../shared/protocol/frame.js';

/** The phases in which a worker is heard at all; child.ts draws them. */
export type Phase = 'greeting' | 'configuring' | 'ready' | 'draining';

type Kind = UpFrame['kind'];

const permits: Readonly<Record<Phase, readonly Kind[]>> = {
  // Nothing is known of the speaker but its process: it may say who it is.
  greeting: ['hello'],
  // It has its slice and starts: it may report and ask, but cannot answer what it was not asked.
  configuring: ['heartbeat', 'log', 'event', 'ask', 'ready'],
  ready: ['heartbeat', 'log', 'event', 'ask', 'answer', 'failure'],
  draining: ['heartbeat', 'log', 'event', 'ask', 'answer', 'failure', 'drained'],
};

/** True when a worker in `phase` may say a frame of this kind. */
export function isPermitted(phase: Phase, kind: Kind): boolean {
  return permits[phase].includes(kind);
}

/** Numbers a worker gives its events and questions: each larger than the last, so nothing is heard twice. */
export class Numbering {
  #last = 0;

  /** False when the frame is a replay. */
  advance(id: number): boolean {
    if (id <= this.#last) return false;
    this.#last = id;
    return true;
  }
}
