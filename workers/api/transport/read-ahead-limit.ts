// Keeps a turn of the event loop short while clients pipeline requests. Node parses all data of a connection in one turn, and
// does so for every connection before any timer. Two hundred connections delayed the heartbeat of this process by seconds.
import type { Socket } from 'node:net';

/**
 * Requests read ahead, over all connections, in one turn of the event loop. Above it no other connection is read before the
 * next turn; one connection adds at most one chunk of 64 KiB.
 */
const maxAhead = 256;

export class ReadAheadLimit {
  readonly #sockets: () => Iterable<Socket>;
  #ahead = 0;
  #paused: Socket[] = [];

  constructor(sockets: () => Iterable<Socket>) {
    this.#sockets = sockets;
  }

  /** Call it for every request that was read while another one of its connection is under way. */
  ahead(): void {
    this.#ahead += 1;
    if (this.#ahead === 1) setImmediate(() => this.#resumeAll());
    if (this.#ahead !== maxAhead) return;
    // A paused connection is not read in this turn, although the kernel has already reported its data.
    this.#paused = [...this.#sockets()].filter((socket) => !socket.destroyed && !socket.isPaused());
    for (const socket of this.#paused) socket.pause();
  }

  #resumeAll(): void {
    this.#ahead = 0;
    for (const socket of this.#paused.splice(0)) if (!socket.destroyed) socket.resume();
  }
}
