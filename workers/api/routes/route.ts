// What a route is: data, so that the router, the index and (later) the OpenAPI description are made of one table.
import type { Readable } from 'node:stream';
import type { Access } from '../../../shared/http/bodies.js';

/** Who asks, as audit rows write it: `local` is the control socket. */
export type Principal = 'anonymous' | 'local';

export interface Request {
  /** The `{placeholders}` of the path, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly principal: Principal;
  /** Aborts when the client is gone: nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export interface Reply {
  readonly status: number;
  readonly type: string;
  /** A stream ends with the connection, or ends it. */
  readonly body: string | Buffer | Readable;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Route {
  /** GET is answered for HEAD too. A POST takes no body: what comes is read and thrown away. */
  readonly method: 'GET' | 'POST';
  /** `/api/v1/ups/{name}` */
  readonly path: string;
  readonly description: string;
  readonly auth: Access;
  /** Query parameters with a short hint each, for the index. */
  readonly query?: Readonly<Record<string, string>>;
  /** False while switched off by the configuration: then this is no route at all. */
  readonly served?: () => boolean;
  /** Throws a Problem for every expected failure. */
  readonly answer: (request: Request) => Reply | Promise<Reply>;
}

export const jsonType = 'application/json; charset=utf-8';

/** A JSON answer; text is taken as JSON already. */
export function json(body: string | object, status = 200): Reply {
  return { status, type: jsonType, body: typeof body === 'string' ? body : JSON.stringify(body) };
}
