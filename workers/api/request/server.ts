// An HTTP server with the rules of specification/api.md#transport: deadlines, JSON answers to broken HTTP, answers that the
// client does not read. It knows no routes.
import type { IncomingMessage, Server } from 'node:http';
import { ServerResponse, createServer } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { MalformedRequests } from '../transport/malformed-requests.js';
import { Connections } from '../transport/connections.js';
import type { Handler } from './handler.js';
import { ReadAheadLimit } from '../transport/read-ahead-limit.js';
import { inTurn } from '../transport/in-turn.js';
import type { Limits } from '../http/limits.js';
import { Pipelines } from '../transport/pipelines.js';

/** The request line and all headers together (16 KiB is also what proxies accept). */
const headerBytes = 16 * 1024;

export function openServer(handler: Handler, connections: number, limits: Limits): Server {
  const counted = new Connections(connections);
  const server = createServer({
    headersTimeout: limits.headerMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: limits.sweepMs,
    maxHeaderSize: headerBytes,
    noDelay: true,
    // The request handler refuses a missing Host, with 421 instead of Node's 400.
    requireHostHeader: false,
  });
  // The size is bounded. A limit on the count could hide a second Host header after two thousand others.
  server.maxHeadersCount = 0;

  const broken = new MalformedRequests(limits);
  const readAhead = new ReadAheadLimit(() => counted.all);
  const pipelines = new Pipelines(limits.pipelined, readAhead);
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    // Parsed together with a request above the limit, which closed the connection.
    if (socket.destroyed) {
      readAhead.ahead();
      return;
    }
    counted.begin(socket, response);
    request.url = originForm(request.url ?? '');
    // One listener for all: with three a request takes 1 us more.
    response.on('close', () => {
      counted.end(socket, response);
      if (!request.complete) broken.answeredEarly(socket, request);
      pipelines.ended(socket);
    });
    pipelines.run(socket, () => {
      void handler(request, response).then(() => giveUpUnread(response, limits.unreadAnswerMs));
    });
  };
  server.on('request', handle);
  // Only a route that reads the body sends 100 Continue. The client may or may not send its body then, so the connection takes
  // no further request.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('Connection', 'close');
    handle(request, response);
  });
  // The request handler refuses any other expectation.
  server.on('checkExpectation', handle);
  // Node passes a CONNECT as a bare socket without an error listener; it is answered like any other path.
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => undefined);
    inTurn(socket, () => {
      const response = new ServerResponse(request);
      response.assignSocket(socket);
      response.setHeader('Connection', 'close');
      response.once('finish', () => socket.destroySoon());
      handle(request, response);
    });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => broken.given(error, socket));
  counted.watch(server);
  return server;
}

/** Clients may send the absolute form (RFC 9112, 3.2.2); a target that is neither that nor a path matches no route. */
function originForm(target: string): string {
  if (target.startsWith('/') && !target.includes('#')) return target;
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/#.*$/s, '');
  if (path.startsWith('/')) return path;
  return path === '' || path.startsWith('?') ? `/${path}` : '*';
}

function giveUpUnread(response: ServerResponse, withinMs: number): void {
  if (!response.writableEnded || response.writableFinished || response.destroyed) return;
  const timer = setTimeout(() => response.destroy(), withinMs);
  response.once('close', () => clearTimeout(timer));
}
