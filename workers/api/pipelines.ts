// Requests that a client sends without waiting for answers: handled one at a time for each connection, with everybody
// else's turn between two of them, and only so many. Without this one client can keep the whole process from its timers.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Waiting {
  readonly response: ServerResponse;
  readonly begin: () => void;
}

export class Pipelines {
  readonly #most: number;
  /** Of every connection with a request under way, those that wait behind it. */
  readonly #waiting = new WeakMap<Socket, Waiting[]>();

  /** `most`: how many may wait on one connection; it is closed when one more comes. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Calls `begin` at once when nothing is under way on the connection, else after the answers before it. */
  run(socket: Socket, response: ServerResponse, begin: () => void): void {
    // What was parsed together with the request that was one too many.
    if (socket.destroyed) return;
    const waiting = this.#waiting.get(socket);
    if (waiting === undefined) {
      this.#waiting.set(socket, []);
      this.#begin(socket, { response, begin });
    } else if (waiting.length < this.#most) waiting.push({ response, begin });
    else socket.destroy();
  }

  #begin(socket: Socket, { response, begin }: Waiting): void {
    response.once('close', () => setImmediate(() => this.#next(socket)));
    begin();
  }

  #next(socket: Socket): void {
    const next = this.#waiting.get(socket)?.shift();
    if (next === undefined || socket.destroyed) this.#waiting.delete(socket);
    else this.#begin(socket, next);
  }
}
