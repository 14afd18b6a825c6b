// The cap on connections (contract 1.1). At the cap an old connection is closed for the new one, so that nobody who
// holds connections open keeps others from /health. Never counts what it did not admit.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Sacrificed first: the lowest. A client that has not sent a request yet, one that does not take its answer, any. */
type Rank = 0 | 1 | 2;

export class Connections {
  readonly #most: number;
  /** In the order they came: the first is the oldest. */
  readonly #open = new Map<Socket, Set<Exchange>>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts the server's connections from now on. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#admit(socket));
  }

  /** To be told of every request before it is handled. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const exchanges = this.#open.get(request.socket);
    const exchange = { request, response };
    exchanges?.add(exchange);
    response.once('close', () => exchanges?.delete(exchange));
  }

  #admit(socket: Socket): void {
    if (this.#open.size >= this.#most) this.#closeOne();
    this.#open.set(socket, new Set());
    socket.once('close', () => this.#open.delete(socket));
  }

  #closeOne(): void {
    let victim: Socket | undefined;
    let lowest: Rank | 3 = 3;
    for (const [socket, exchanges] of this.#open) {
      const rank = rankOf(exchanges);
      if (rank < lowest) [victim, lowest] = [socket, rank];
      if (lowest === 0) break;
    }
    if (victim === undefined) return;
    this.#open.delete(victim);
    victim.destroy();
  }
}

function rankOf(exchanges: ReadonlySet<Exchange>): Rank {
  const complete = [...exchanges].filter(({ request }) => request.complete);
  if (complete.length === 0) return 0;
  return complete.every(({ response }) => response.writableEnded) ? 1 : 2;
}
