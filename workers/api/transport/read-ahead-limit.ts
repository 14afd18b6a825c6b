// Keeps one turn of the event loop short while clients send more requests than they wait for answers to. Node parses all
// that a connection has sent before anybody else's turn, and does so for every connection before any timer: two hundred
// of them kept this process from its heartbeat for seconds.
import type { Socket } from 'node:net';

/**
 * Requests read ahead of their turn, over all connections, in one turn of the loop. Beyond it nobody else is read before
 * the next one; what its sender has sent already is at most one chunk of 64 KiB more.
 */
const mostAhead = 256;

export class ReadAheadLimit {
  readonly #everybody: () => Iterable<Socket>;
  #ahead = 0;
  #held: Socket[] = [];

  constructor(everybody: () => Iterable<Socket>) {
    this.#everybody = everybody;
  }

  /** To be told of every request that was read while another one of its connection is under way. */
  ahead(): void {
    this.#ahead += 1;
    if (this.#ahead === 1) setImmediate(() => this.#nextTurn());
    if (this.#ahead !== mostAhead) return;
    // A paused connection is not read in this turn either, although the kernel has announced its data already.
    this.#held = [...this.#everybody()].filter((socket) => !socket.destroyed && !socket.isPaused());
    for (const socket of this.#held) socket.pause();
  }

  #nextTurn(): void {
    this.#ahead = 0;
    for (const socket of this.#held.splice(0)) if (!socket.destroyed) socket.resume();
  }
}
