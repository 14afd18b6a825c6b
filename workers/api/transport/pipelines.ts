// Requests that a client sends without waiting for answers: handled one at a time for each connection, with everybody
// else's turn between two of them, and only so many. Without this one client can keep the whole process from its timers.
import type { Socket } from 'node:net';
import type { ReadAheadLimit } from './read-ahead-limit.js';

/** One for each connection, kept as long as it lives: most have a request at a time, and nothing to do between two. */
interface Pipeline {
  underWay: boolean;
  readonly waiting: (() => void)[];
}

export class Pipelines {
  readonly #most: number;
  readonly #crowd: ReadAheadLimit;
  readonly #pipelines = new WeakMap<Socket, Pipeline>();

  /** `most`: how many may wait on one connection; it is closed when one more comes. */
  constructor(most: number, crowd: ReadAheadLimit) {
    this.#most = most;
    this.#crowd = crowd;
  }

  /** Calls `begin` at once when nothing is under way on the connection, else after the answers before it. */
  run(socket: Socket, begin: () => void): void {
    let pipeline = this.#pipelines.get(socket);
    if (pipeline === undefined) this.#pipelines.set(socket, (pipeline = { underWay: false, waiting: [] }));
    if (!pipeline.underWay) {
      pipeline.underWay = true;
      begin();
      return;
    }
    this.#crowd.ahead();
    if (pipeline.waiting.length < this.#most) pipeline.waiting.push(begin);
    else socket.destroy();
  }

  /** To be told when the answer to a request that was begun is closed. The next one waits for everybody else's turn. */
  ended(socket: Socket): void {
    const pipeline = this.#pipelines.get(socket);
    if (pipeline === undefined) return;
    if (pipeline.waiting.length === 0) pipeline.underWay = false;
    else
      setImmediate(() => {
        if (!socket.destroyed) pipeline.waiting.shift()?.();
      });
  }
}
