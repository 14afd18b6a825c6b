// A request as passed to its route. Rarely used properties are computed on first use: most requests read from memory and
// cost little more than this.
import type { Context } from 'koa';
import type { Grant } from '../auth/access.js';
import type { Request } from '../http/route.js';

export interface RequestSender {
  readonly peer: string;
  /** The address that a trusted proxy forwards. */
  readonly forwarded: () => string | null;
}

export class RequestContext implements Request {
  readonly params: Request['params'];
  readonly path: Request['path'];
  readonly peer: string;
  readonly #forwarded: () => string | null;
  readonly principal: Request['principal'];
  readonly role: Request['role'];
  readonly session: Request['session'];
  readonly restricted: boolean;
  /** Set once the route has admitted the request, or has refused an action that its body names. */
  body: Request['body'] = {};
  readonly #ctx: Context;
  #query: URLSearchParams | undefined;
  #signal: AbortSignal | undefined;

  constructor(ctx: Context, params: Request['params'], { peer, forwarded }: RequestSender, grant: Grant) {
    this.params = params;
    this.path = ctx.path;
    this.peer = peer;
    this.#forwarded = forwarded;
    this.principal = grant.principal;
    this.role = grant.role;
    this.session = grant.session;
    this.restricted = grant.restricted;
    this.#ctx = ctx;
  }

  get from(): string {
    const forwarded = this.#forwarded();
    return forwarded === null ? this.peer : `${this.peer} for ${forwarded}`;
  }

  get accept(): string {
    return this.#ctx.get('Accept');
  }

  get query(): URLSearchParams {
    return (this.#query ??= new URLSearchParams(this.#ctx.querystring));
  }

  accepted(types: readonly string[]): string | undefined {
    const type = this.#ctx.accepts([...types]);
    return typeof type === 'string' ? type : undefined;
  }

  get signal(): AbortSignal {
    return (this.#signal ??= goneSignal(this.#ctx));
  }
}

function goneSignal({ res }: Context): AbortSignal {
  if (res.destroyed) return AbortSignal.abort();
  const gone = new AbortController();
  res.once('close', () => {
    // The event also comes after an answer, when nothing listens to the signal.
    if (!res.writableFinished) gone.abort();
  });
  return gone.signal;
}
