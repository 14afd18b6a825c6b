// A route as data: the router, the index and the OpenAPI description are built from one table of routes.
import type * as t from 'io-ts';
import type { Readable } from 'node:stream';
import type { AuditEventType } from '../../../shared/domain/status/events.js';
import type { Role } from '../../../shared/domain/status/role.js';
import type { Access } from '../../../shared/http/bodies.js';
import type { ErrorCode } from '../../../shared/http/errors.js';
import type { Principal } from './peer.js';
import type { Parameter } from './query.js';

export type { Principal };

/** A request before its body is read. */
export interface RequestHead {
  /** As sent by the client, without `api.base_path`. */
  readonly path: string;
  /** The `{placeholders}` of the path, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The media type among `types` that the client prefers by its Accept header; undefined when it accepts none. */
  readonly accepted: (types: readonly string[]) => string | undefined;
  readonly principal: Principal;
  /** The address at the other end of the socket, never from a header. "local" on the control socket. */
  readonly peer: string;
  /** For records: the peer, and the address that a trusted proxy forwards (`127.0.0.1 for 192.0.2.7`). */
  readonly from: string;
  /** The Accept header. */
  readonly accept: string;
  /** The role of the credential; null without one. */
  readonly role: Role | null;
  /** The live session of the request, which a logout ends; null for an API key. */
  readonly session: string | null;
  /** A caller who may not read while reads need a credential: an open route shows it the minimum. */
  readonly restricted: boolean;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** As audit rows name the caller. The control socket has no address. */
export function callerOf({ principal, from }: Pick<RequestHead, 'principal' | 'from'>): string {
  return principal === 'local' ? principal : `${principal} from ${from}`;
}

export interface Request extends RequestHead {
  /** The JSON object of the body; `{}` without one, or when the route takes none. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Reply {
  readonly status: number;
  readonly type: string;
  /** A stream ends with the connection, or ends it. */
  readonly body: string | Buffer | Readable;
  /** ASCII text before a prepared body: the part that changes with each answer. */
  readonly lead?: string;
  /** The same body, compressed by the build. Nothing is compressed at run time. */
  readonly compressed?: Readonly<Record<'br' | 'gzip', Buffer>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A change to a UPS or to the daemon. It is limited for each principal, and every outcome leaves an audit row. */
export interface Action {
  /** The event types of a refusal and of a failure. The supervisor or storage records a success. */
  readonly denied: AuditEventType;
  readonly failed: AuditEventType;
  /** The requested action: `run beeper.mute`. The body is not validated; `{}` when it was not read. */
  readonly target: (params: RequestHead['params'], body: Request['body']) => string;
  /** The field of the body that names it. The body of a refused request is then read too, for the audit row. */
  readonly inBody?: string;
}

export interface Route {
  /** GET also serves HEAD. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `/api/v1/ups/{name}` */
  readonly path: string;
  readonly description: string;
  /**
   * `open`: no credential. `read`: a credential only under `require_for_reads`. `write`: always a credential, and 403 while
   * authentication is off. The request handler checks this; a route does not check it again.
   */
  readonly auth: Access;
  /** The least role of a credential; without it `roleFor` says which. */
  readonly role?: Role;
  /** An open route that shows more to authenticated callers: the request handler identifies the principal. */
  readonly identifies?: true;
  /** A write route that works for a live session without the authentication database. */
  readonly withoutStore?: true;
  /** A refusal of a route without one is a LOGIN_FAILURE. */
  readonly action?: Action;
  readonly query?: Readonly<Record<string, Parameter>>;
  /** The codec of its JSON answer; without one it answers text of the type `text`. */
  readonly gives?: t.Mixed;
  /** Its media type, when it does not answer JSON. */
  readonly text?: string;
  /** Media types besides JSON, by `format` or the Accept header. */
  readonly formats?: readonly string[];
  /** A second status with the same body as 200. */
  readonly alsoGives?: number;
  /** Error codes in addition to those that follow from its path, parameters and access. */
  readonly fails?: readonly ErrorCode[];
  /** False while the configuration turns it off: the route then does not exist. */
  readonly served?: () => boolean;
  /** Checks between authorization and body: feature enabled, throttle (specification/api.md#order-of-checks). Throws a Problem. */
  readonly precheck?: (head: RequestHead) => void | Promise<void>;
  /** Takes a JSON object (specification/api.md#request-bodies). Without it the body is discarded. */
  readonly takesBody?: true;
  /** The codec of that object, for the description. */
  readonly takes?: t.Mixed;
  /** Throws a Problem for every expected failure. */
  readonly answer: (request: Request) => Reply | Promise<Reply>;
}

/** The least role that a credential needs here; null on an open route. */
export function roleFor({ auth, role }: Pick<Route, 'auth' | 'role'>): Role | null {
  return role ?? ({ open: null, read: 'read', write: 'control' } as const)[auth];
}

export const jsonType = 'application/json; charset=utf-8';

/** A JSON answer; a string is already JSON. */
export function json(body: string | object, status = 200): Reply {
  return { status, type: jsonType, body: typeof body === 'string' ? body : JSON.stringify(body) };
}
