// An HTTP server with the rules of specification/api.md#transport: deadlines, broken HTTP answered in JSON, answers nobody
// takes. It knows nothing of routes.
import type { IncomingMessage, Server } from 'node:http';
import { ServerResponse, createServer } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { MalformedRequests } from '../transport/malformed-requests.js';
import { Connections } from '../transport/connections.js';
import type { Handler } from './gate.js';
import { ReadAheadLimit } from '../transport/read-ahead-limit.js';
import { inTurn } from '../transport/serial-queue.js';
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
    // A missing Host is the gate's to refuse, with 421 and not Node's 400.
    requireHostHeader: false,
  });
  // The size is bounded; a count would hide a second Host behind two thousand other headers.
  server.maxHeadersCount = 0;

  const broken = new MalformedRequests(limits);
  const crowd = new ReadAheadLimit(() => counted.all);
  const pipelines = new Pipelines(limits.pipelined, crowd);
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    // What was parsed together with a request that was one too many.
    if (socket.destroyed) {
      crowd.ahead();
      return;
    }
    counted.begin(socket, response);
    request.url = originForm(request.url ?? '');
    // One listener for all who want to know: with three of them a request took 1 us more.
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
  // Only a route that reads the body tells its sender to go on; whether he does is unknown, so no next request either.
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('Connection', 'close');
    handle(request, response);
  });
  // The gate refuses any other expectation.
  server.on('checkExpectation', handle);
  // Node hands a CONNECT over as a bare socket, without so much as an error listener; it is answered like any other path.
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

/** Absolute form is allowed to clients (RFC 9112, 3.2.2); what is neither that nor a path is no path of ours. */
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
