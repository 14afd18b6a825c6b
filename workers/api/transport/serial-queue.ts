// The order of answers on one connection, where Node leaves it to us: after a parser error and after a CONNECT.
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

interface HttpSocket extends Duplex {
  /** Node's own: the response under way on this connection. */
  readonly _httpMessage?: ServerResponse | null;
}

/** Runs `answer` once every earlier request of the connection has its answer; never when the connection is gone by then. */
export function inTurn(socket: HttpSocket, answer: () => void): void {
  if (socket.destroyed) return;
  const underWay = socket._httpMessage;
  if (underWay === undefined || underWay === null) answer();
  else underWay.once('close', () => inTurn(socket, answer));
}
