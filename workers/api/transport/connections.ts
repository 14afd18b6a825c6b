// The cap on connections (specification/api.md#slow-clients). At the cap an old connection is closed for the new one, so that nobody who
// holds connections open keeps others from /health. Never counts what it did not admit.
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Sacrificed first: the lowest. A client that has not sent a request yet, one that does not take its answer, any. */
type Rank = 0 | 1 | 2;

export class Connections {
  readonly #most: number;
  /** In the order they came: the first is the oldest. */
  readonly #open = new Map<Socket, Set<ServerResponse>>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts the server's connections from now on. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#admit(socket));
  }

  /** All that are open. */
  get all(): Iterable<Socket> {
    return this.#open.keys();
  }

  /** To be told of every request before it is handled, by the response it is to get. */
  begin(socket: Socket, response: ServerResponse): void {
    this.#open.get(socket)?.add(response);
  }

  /** To be told when that response is closed, whatever became of it. */
  end(socket: Socket, response: ServerResponse): void {
    this.#open.get(socket)?.delete(response);
  }

  #admit(socket: Socket): void {
    if (this.#open.size >= this.#most) this.#closeOne();
    this.#open.set(socket, new Set());
    socket.once('close', () => this.#open.delete(socket));
  }

  #closeOne(): void {
    let victim: Socket | undefined;
    let lowest: Rank | 3 = 3;
    for (const [socket, responses] of this.#open) {
      const rank = rankOf(responses);
      if (rank < lowest) [victim, lowest] = [socket, rank];
      if (lowest === 0) break;
    }
    if (victim === undefined) return;
    this.#open.delete(victim);
    victim.destroy();
  }
}

function rankOf(responses: ReadonlySet<ServerResponse>): Rank {
  const complete = [...responses].filter(({ req }) => req.complete);
  if (complete.length === 0) return 0;
  return complete.every(({ writableEnded }) => writableEnded) ? 1 : 2;
}
