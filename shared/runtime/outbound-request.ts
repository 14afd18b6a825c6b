// An HTTP request, directly or through a proxy: http:// as a request to the proxy with the whole address, https:// through a tunnel
// (CONNECT, RFC 9110, 9.3.6), in which TLS is with the far side. The signal ends every part.
import type { ClientRequest, RequestOptions } from 'node:http';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { LookupFunction, Socket } from 'node:net';
import { isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Proxy } from '../domain/services/outbound-proxies.js';

export interface OutboundOptions {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly lookup?: LookupFunction;
  /** Authorities to trust, PEM; those of Node when absent. */
  readonly ca?: string | undefined;
  readonly proxy: Proxy | null;
}

/** The proxy failed, not the far side. Its message has no part of an address. */
export class ProxyFault extends Error {}

export function outboundRequest(url: URL, options: OutboundOptions): ClientRequest {
  const { method, headers, signal, lookup, ca, proxy } = options;
  // A connection for each: messages are days apart, heartbeats a minute.
  const own = { method, headers, signal, agent: false, ...(lookup === undefined ? {} : { lookup }) } as const;
  const trusted = ca === undefined ? {} : { ca };
  if (proxy === null)
    return url.protocol === 'https:' ? secureRequest(url, { ...own, ...trusted }) : plainRequest(url, own);
  if (url.protocol === 'https:') {
    const createConnection: RequestOptions['createConnection'] = (_options, done) => {
      tunnel(url, options, proxy).then(
        (socket) => {
          const host = url.hostname.replace(/^\[|\]$/g, '');
          // An address is no server name (RFC 6066).
          const name = isIP(host) === 0 ? { servername: host } : { host };
          done(null, connectTls({ socket, ...name, ...trusted }));
        },
        (error: Error) => done(error, undefined as never),
      );
      return undefined;
    };
    const { agent: _, ...withoutAgent } = own;
    return secureRequest(url, { ...withoutAgent, createConnection });
  }
  const { username, password } = url;
  const login =
    username === '' ? {} : { auth: `${decodeURIComponent(username)}:${decodeURIComponent(password)}` };
  const target = new URL(url);
  [target.username, target.password] = ['', ''];
  const request = toProxy(proxy, {
    ...own,
    ...trusted,
    ...login,
    path: target.href,
    headers: { ...headers, Host: url.host, ...proxyAuthorization(proxy) },
  });
  return request;
}

function toProxy(proxy: Proxy, options: RequestOptions): ClientRequest {
  const whole = { ...options, host: proxy.host, port: proxy.port };
  // Node would take the name from the header Host, which is that of the far side.
  const servername = isIP(proxy.host) === 0 ? proxy.host : '';
  return proxy.secure ? secureRequest({ ...whole, servername }) : plainRequest(whole);
}

function proxyAuthorization({ login }: Proxy): Record<string, string> {
  if (login === null) return {};
  const { user, password } = login;
  return { 'Proxy-Authorization': `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

function tunnel(url: URL, { signal, lookup, ca }: OutboundOptions, proxy: Proxy): Promise<Socket> {
  const authority = `${url.hostname}:${url.port === '' ? '443' : url.port}`;
  return new Promise((resolve, reject) => {
    const request = toProxy(proxy, {
      method: 'CONNECT',
      path: authority,
      headers: { Host: authority, ...proxyAuthorization(proxy) },
      agent: false,
      signal,
      ...(lookup === undefined ? {} : { lookup }),
      ...(ca === undefined ? {} : { ca }),
    });
    request.once('error', (error) => reject(proxyFault(error, proxy)));
    const answered = (status: number): void => {
      request.destroy();
      reject(new ProxyFault(refusalOf(proxy, status)));
    };
    // A proxy that does not answer CONNECT as one sends an ordinary answer.
    request.once('response', ({ statusCode = 0 }) => answered(statusCode));
    request.once('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode >= 200 && statusCode < 300) resolve(socket);
      else answered(statusCode);
    });
    request.end();
  });
}

/** The error of a request through the proxy, where it is that of the connection to it. */
export function proxyFault(error: NodeJS.ErrnoException, proxy: Proxy): Error {
  if (error.name === 'AbortError' || error.name === 'TimeoutError' || error instanceof ProxyFault)
    return error;
  return new ProxyFault(
    `the proxy of ${proxy.variable} cannot be used (${error.code ?? error.name}); check the variable in the environment of the daemon, and the proxy`,
  );
}

export function refusalOf({ variable }: Proxy, status: number): string {
  const answer = `the proxy of ${variable}`;
  // tinyproxy answers a wrong login with 401.
  if (status === 407 || status === 401)
    return `${answer} refuses its login (HTTP ${String(status)}); correct user and password in ${variable} in the environment of the daemon`;
  return `${answer} does not connect to the server of this address (HTTP ${String(status)}); permit it there, or name the host in NO_PROXY`;
}
