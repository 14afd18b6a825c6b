// The limit of connections (specification/api.md#slow-clients). At the limit a new connection replaces an old one, so that a
// client with many connections cannot block /health for others. It counts only connections that it accepted.
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The lowest is closed first: no complete request yet, does not read its answer, any other. */
type Rank = 0 | 1 | 2;

export class Connections {
  readonly #max: number;
  /** Oldest first. */
  readonly #open = new Map<Socket, Set<ServerResponse>>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Counts the connections of the server from now on. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.#admit(socket));
  }

  get all(): Iterable<Socket> {
    return this.#open.keys();
  }

  /** Call it for every request before it is handled, with its response. */
  begin(socket: Socket, response: ServerResponse): void {
    this.#open.get(socket)?.add(response);
  }

  /** Call it when that response is closed, finished or not. */
  end(socket: Socket, response: ServerResponse): void {
    this.#open.get(socket)?.delete(response);
  }

  #admit(socket: Socket): void {
    if (this.#open.size >= this.#max) this.#closeOne();
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
