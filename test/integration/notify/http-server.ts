// A server on loopback that records its requests and answers as the test says.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { createServer as createRawServer } from 'node:net';
import type { Certificate } from '../../fixtures/certificates.js';
import type { LoopbackServer } from '../../fixtures/loopback-server.js';
import { onLoopback } from '../../fixtures/loopback-server.js';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}

export interface HttpServer extends LoopbackServer {
  readonly received: readonly Received[];
}

export type Answer = (response: ServerResponse, request: Received) => void;

export const fine: Answer = (response) => void response.end('{}');
export const status =
  (code: number, headers: Record<string, string> = {}, body = ''): Answer =>
  (response) =>
    void response.writeHead(code, headers).end(body);

export async function startHttp(answer: Answer, certificate?: Certificate): Promise<HttpServer> {
  const received: Received[] = [];
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>,
      };
      received.push(one);
      answer(response, one);
    });
  };
  const server =
    certificate === undefined
      ? createServer(handle)
      : createSecureServer({ key: certificate.keyPem, cert: certificate.certPem }, handle);
  return { ...(await onLoopback(server)), received };
}

/** `meet` handles each connection. */
export const startRaw = (meet: (socket: Socket) => void): Promise<LoopbackServer> =>
  onLoopback(createRawServer(meet));
