// Handles pipelined requests one at a time for each connection, with the other connections in between, and limits their number.
// Without this one client could delay the timers of the process.
import type { Socket } from 'node:net';
import type { ReadAheadLimit } from './read-ahead-limit.js';

/** One for each connection, for its lifetime. */
interface Pipeline {
  underWay: boolean;
  readonly waiting: (() => void)[];
}

export class Pipelines {
  readonly #max: number;
  readonly #readAhead: ReadAheadLimit;
  readonly #pipelines = new WeakMap<Socket, Pipeline>();

  /** `max`: the limit of waiting requests on one connection, which is closed above it. */
  constructor(max: number, readAhead: ReadAheadLimit) {
    this.#max = max;
    this.#readAhead = readAhead;
  }

  /** Calls `begin` immediately when the connection has no request under way, else after the earlier answers. */
  run(socket: Socket, begin: () => void): void {
    let pipeline = this.#pipelines.get(socket);
    if (pipeline === undefined) this.#pipelines.set(socket, (pipeline = { underWay: false, waiting: [] }));
    if (!pipeline.underWay) {
      pipeline.underWay = true;
      begin();
      return;
    }
    this.#readAhead.ahead();
    if (pipeline.waiting.length < this.#max) pipeline.waiting.push(begin);
    else socket.destroy();
  }

  /** Call it when the answer to a begun request is closed. The next request waits for the other connections. */
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
