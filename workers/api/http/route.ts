// What a route is: data, so that the router, the index and (later) the OpenAPI description are made of one table.
import type * as t from 'io-ts';
import type { Readable } from 'node:stream';
import type { AuditEventType } from '../../../shared/domain/events.js';
import type { Access } from '../../../shared/http/bodies.js';
import type { ErrorCode } from '../../../shared/http/errors.js';
import type { Principal } from './peer.js';
import type { Parameter } from './query.js';

export type { Principal };

/** What is known of a request before its body is read. */
export interface RequestHead {
  /** As the client spelled it. */
  readonly path: string;
  /** The `{placeholders}` of the path, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly principal: Principal;
  /** The address at the other end of the socket; never what a header claims. "local" on the control socket. */
  readonly peer: string;
  /** The live session the request was made with, to be ended by a logout; null for an API key. */
  readonly session: string | null;
  /** An anonymous caller while reads need a credential: an open route shows as little as it can. */
  readonly restricted: boolean;
  /** Aborts when the client is gone: nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export interface Request extends RequestHead {
  /** The JSON object sent with it; `{}` when none was, or when the route takes none. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Reply {
  readonly status: number;
  readonly type: string;
  /** A stream ends with the connection, or ends it. */
  readonly body: string | Buffer | Readable;
  /** ASCII that comes before a body which is kept ready: the part that is new each time. */
  readonly lead?: string;
  /** The same body, compressed when the program was built. Nothing is compressed while it runs. */
  readonly compressed?: Readonly<Record<'br' | 'gzip', Buffer>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Something that is done to a UPS or to the daemon. It has a limit for each principal, and leaves a row whatever comes of it. */
export interface Action {
  /** How a refusal is recorded, and a failure. What is done, the supervisor or storage records. */
  readonly denied: AuditEventType;
  readonly failed: AuditEventType;
  /** What was to be done: `run beeper.mute`. The body is as it came; `{}` when it was not read. */
  readonly target: (params: RequestHead['params'], body: Request['body']) => string;
  /** The field of the body that names it: the body is read for the record also when the request is refused. */
  readonly inBody?: string;
}

export interface Route {
  /** GET is answered for HEAD too. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `/api/v1/ups/{name}` */
  readonly path: string;
  readonly description: string;
  /**
   * `open`: anybody. `read`: needs a credential only under `require_for_reads`. `write`: always needs one, and is 403
   * while authentication is off. The gate holds this; a route does not check it again.
   */
  readonly auth: Access;
  /** An open route that shows more to whom it knows: its request has a principal. Others are not asked who they are. */
  readonly identifies?: true;
  /** A write route for a live session that works without the authentication database. */
  readonly withoutStore?: true;
  /** A refusal of a route without one is a LOGIN_FAILURE. */
  readonly action?: Action;
  readonly query?: Readonly<Record<string, Parameter>>;
  /** The JSON it answers with; without one it answers with text of `text`. */
  readonly gives?: t.Mixed;
  /** Its media type, when it answers with no JSON. */
  readonly text?: string;
  /** A second status that carries the same body as 200. */
  readonly alsoGives?: number;
  /** Codes it may answer with beyond those that follow from its path, its parameters and its access. */
  readonly fails?: readonly ErrorCode[];
  /** False while switched off by the configuration: then this is no route at all. */
  readonly served?: () => boolean;
  /** Checks between the gate and the body (specification/api.md#order-of-checks): feature enabled, throttle. Throws a Problem. */
  readonly admit?: (head: RequestHead) => void | Promise<void>;
  /** Takes a JSON object (specification/api.md#request-bodies). Without it the body is discarded. */
  readonly takesBody?: true;
  /** What that object must be, for the description. */
  readonly takes?: t.Mixed;
  /** Throws a Problem for every expected failure. */
  readonly answer: (request: Request) => Reply | Promise<Reply>;
}

export const jsonType = 'application/json; charset=utf-8';

/** A JSON answer; text is taken as JSON already. */
export function json(body: string | object, status = 200): Reply {
  return { status, type: jsonType, body: typeof body === 'string' ? body : JSON.stringify(body) };
}
