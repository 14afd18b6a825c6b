// The parts of every answer: standard headers, error body, and raw error answers on a socket without a parsed request.
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../../../shared/http/errors.js';
import { errorBody, errorStatus } from '../../../shared/http/errors.js';
import type { ApiProblem } from './problem.js';
import type { Reply } from './route.js';
import { jsonType } from './route.js';

/** For every response (specification/api.md#headers); a static asset replaces Cache-Control. */
export const standardHeaders: Readonly<Record<string, string>> = {
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};

export function problemReply(problem: ApiProblem): Reply {
  return {
    status: problem.status,
    type: jsonType,
    body: JSON.stringify(errorBody(problem.code, problem.message, problem.details)),
    headers: problem.headers,
  };
}

/** Writes a complete answer to a socket after an HTTP parser error, and ends it. */
export function answerRaw(socket: Duplex, code: ErrorCode, message: string): void {
  const status = errorStatus[code];
  const body = JSON.stringify(errorBody(code, message));
  const headers = {
    ...standardHeaders,
    'Content-Type': jsonType,
    'Content-Length': String(Buffer.byteLength(body)),
    Date: new Date().toUTCString(),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`);
}
