// Keeps the order of answers on one connection where Node does not: after a parser error and after a CONNECT.
import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

interface HttpSocket extends Duplex {
  /** A field of Node: the response under way on this connection. */
  readonly _httpMessage?: ServerResponse | null;
}

/** Runs `answer` when every earlier request of the connection is answered; never after the connection has closed. */
export function inTurn(socket: HttpSocket, answer: () => void): void {
  if (socket.destroyed) return;
  const underWay = socket._httpMessage;
  if (underWay === undefined || underWay === null) answer();
  else underWay.once('close', () => inTurn(socket, answer));
}
