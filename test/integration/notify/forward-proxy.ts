// An HTTP proxy on loopback: it forwards to one port, whatever name was asked for, and records what it was asked.
import { createServer, request as forward } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect } from 'node:net';
import type { Certificate } from '../../fixtures/certificates.js';
import type { LoopbackServer } from '../../fixtures/loopback-server.js';
import { onLoopback } from '../../fixtures/loopback-server.js';

export interface ForwardProxy extends LoopbackServer {
  /** `CONNECT host:443`, `POST http://host/path`. */
  readonly asked: readonly string[];
  readonly logins: readonly (string | undefined)[];
}

export interface ProxyBehaviour {
  /** In place of forwarding. */
  readonly refusesWith?: number;
  readonly hangs?: boolean;
  /** TLS to the proxy itself. */
  readonly certificate?: Certificate;
}

export async function startForwardProxy(to: number, behaviour: ProxyBehaviour = {}): Promise<ForwardProxy> {
  const { refusesWith, hangs, certificate } = behaviour;
  const asked: string[] = [];
  const logins: (string | undefined)[] = [];
  const server =
    certificate === undefined
      ? createServer()
      : createSecureServer({ key: certificate.keyPem, cert: certificate.certPem });
  server.on('request', (request, response) => {
    const { method = '', url = '', headers } = request;
    asked.push(`${method} ${url}`);
    logins.push(headers['proxy-authorization']);
    if (hangs === true) return;
    if (refusesWith !== undefined) {
      response.writeHead(refusesWith).end('<h1>proxy</h1>');
      return;
    }
    const { pathname, search } = new URL(url);
    const target = { host: '127.0.0.1', port: to, method, path: `${pathname}${search}`, headers };
    request.pipe(
      forward(target, (answer) => {
        response.writeHead(answer.statusCode ?? 0, answer.headers);
        answer.pipe(response);
      }),
    );
  });
  server.on('connect', (request, client) => {
    asked.push(`CONNECT ${request.url ?? ''}`);
    logins.push(request.headers['proxy-authorization']);
    if (hangs === true) return void client.resume().once('end', () => client.end());
    if (refusesWith !== undefined) {
      client.end(`HTTP/1.1 ${String(refusesWith)} No\r\n\r\n`);
      return;
    }
    const target = connect(to, '127.0.0.1', () =>
      client.write('HTTP/1.1 200 Connection established\r\n\r\n'),
    );
    target.on('error', () => client.destroy());
    client.on('error', () => target.destroy());
    client.pipe(target).pipe(client);
  });
  return { ...(await onLoopback(server)), asked, logins };
}
