// The order of checks before a route is called (specification/api.md#order-of-checks), and the only place that turns its
// result or exception into an answer. Host, Expect, route, method, credential, admission, body; the route checks the rest.
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import Router from '@koa/router';
import Koa from 'koa';
import type { Logger } from '../../../shared/runtime/log.js';
import { errorTrace } from '../../../shared/domain/base/error-message.js';
import type { Grant } from '../auth/access.js';
import type { Actions } from '../auth/actions.js';
import { problemReply } from '../http/answer.js';
import { withoutBasePath } from './base-path.js';
import type { RequestSender } from './request-context.js';
import { RequestContext } from './request-context.js';
import { bodyOfRefused, discardBody, readBody } from '../http/body.js';
import type { HostFault } from '../http/host-header.js';
import { checkHostHeader, refusalInLog } from '../http/host-header.js';
import type { Limits } from '../http/limits.js';
import { peerOf } from '../http/peer.js';
import { recheckAuthorization } from './recheck-authorization.js';
import { ApiProblem } from '../http/problem.js';
import type { Reply, Route } from '../http/route.js';
import { send } from '../http/send.js';
import type { TrustedProxies } from '../http/trusted-proxies.js';

export interface HandlerOptions {
  readonly routes: readonly Route[];
  /** Where the routes are served besides `/`; empty for nowhere. */
  readonly basePath: () => string;
  readonly proxies: TrustedProxies;
  /** Null on the control socket, which checks no Host. */
  readonly allowedHosts: (() => readonly string[]) | null;
  /** Identifies the caller; throws the Problem when that is not enough for the route. */
  readonly authorize: (route: Route, rawHeaders: readonly string[]) => Grant | Promise<Grant>;
  /** Limits and records actions; null on the control socket, where nothing is limited. */
  readonly actions: Actions | null;
  readonly limits: Limits;
  readonly log: Logger;
  /** Called for every answer, with the path template of its route ("unmatched" without one). */
  readonly answered: (route: string, status: number, seconds: number) => void;
}

export type Handler = ReturnType<Koa['callback']>;

export function requestHandler(options: HandlerOptions): Handler {
  const app = new Koa();
  /** The first refused Host of each kind is logged, once (specification/api.md#host-header). */
  const logged = new Set<HostFault>();
  app.on('error', (error: NodeJS.ErrnoException) => {
    // An error of a system call means that the client closed the connection; any other error is a bug.
    if (error.code !== undefined) options.log.debug(`a client closed its connection: ${error.message}`);
    else options.log.error(`an answer could not be sent: ${error.stack ?? error.message}`);
  });
  const straight = straightOf(options.routes);
  let router: Koa.Middleware | undefined;
  app.use(async (ctx, next) => {
    const startedMs = performance.now();
    const { req } = ctx;
    let reply: Reply;
    let route: Route | undefined;
    try {
      checkHost(req);
      checkExpectation(req.headers.expect ?? '');
      const moved = withoutBasePath(ctx, options.basePath());
      route = straight.get(req.method ?? '')?.get(req.url ?? '');
      if (moved !== undefined) reply = moved;
      else if (route !== undefined && route.served?.() !== false)
        reply = await answerOf(route, ctx, {}, options);
      else {
        await next();
        reply = ctx.state['reply'] as Reply;
      }
    } catch (error) {
      reply = problemReply(problemOf(error, options.log));
    }
    discardBody(req, options.limits.unwantedBodyBytes);
    send(ctx, reply);
    const template = route?.path ?? routeOf(ctx);
    options.answered(template, reply.status, (performance.now() - startedMs) / 1000);
  });
  app.use(async (ctx, next) => {
    router ??= routerOf(options);
    await router(ctx, next);
  });
  app.use((ctx) => {
    throw notServed(ctx, options.routes);
  });
  return app.callback();

  function checkHost({ rawHeaders, socket }: IncomingMessage): void {
    if (options.allowedHosts === null) return;
    const verdict = checkHostHeader(rawHeaders, options.allowedHosts());
    if (verdict.ok) return;
    const { fault, sent, reason } = verdict;
    if (!logged.has(fault)) options.log.warning(refusalInLog(fault, sent, peerOf(socket)));
    logged.add(fault);
    throw new ApiProblem('MISDIRECTED_REQUEST', `${reason}. ${hostAdvice}`);
  }
}

const hostAdvice =
  'Use the IP address or localhost, or add the name to api.allowed_hosts in the configuration.';

function checkExpectation(expect: string): void {
  if (expect === '' || expect.toLowerCase() === '100-continue') return;
  throw new ApiProblem('EXPECTATION_FAILED', 'The only supported Expect header is 100-continue.');
}

/** Compiles a pattern for each route, 10 ms of a start: at the first request that needs it. */
function routerOf(options: HandlerOptions): Koa.Middleware {
  const router = new Router({ sensitive: true, strict: true });
  for (const route of options.routes) {
    router.register(
      route.path.replaceAll(/\{(\w+)\}/g, ':$1'),
      [route.method],
      async (ctx, next) => {
        if (route.served?.() === false) await next();
        else ctx.state['reply'] = await answerOf(route, ctx, ctx.params, options);
      },
      { name: route.path },
    );
  }
  return router.routes() as unknown as Koa.Middleware;
}

/**
 * The routes without placeholders, by method and path. The match against every pattern of the router takes 2 us, which these
 * skip. No pattern of the tables matches one of these paths; the router handles every path not found here.
 */
function straightOf(routes: readonly Route[]): ReadonlyMap<string, ReadonlyMap<string, Route>> {
  const plain = routes.filter(({ method, path }) => method === 'GET' && !path.includes('{'));
  const byPath = new Map(plain.map((route) => [route.path, route]));
  return new Map([
    ['GET', byPath],
    ['HEAD', byPath],
  ]);
}

async function answerOf(
  route: Route,
  ctx: Koa.Context,
  params: Readonly<Record<string, string>>,
  options: HandlerOptions,
): Promise<Reply> {
  const requestContext = new RequestContext(
    ctx,
    params,
    senderOf(ctx, options.proxies),
    await grantOf(route, ctx, params, options),
  );
  try {
    options.actions?.precheck(route, requestContext);
    await admit(route, requestContext, ctx, options.limits);
    if (route.takesBody !== undefined) requestContext.body = await readBody(ctx, options.limits.bodyMs);
    const reply = await route.answer(requestContext);
    if (reply.body instanceof Readable)
      recheckAuthorization(reply.body, options.limits.askAgainMs, () =>
        options.authorize(route, ctx.req.rawHeaders),
      );
    return reply;
  } catch (error) {
    options.actions?.undone(route, requestContext, error);
    throw error;
  }
}

function senderOf({ req }: Koa.Context, proxies: TrustedProxies): RequestSender {
  const peer = peerOf(req.socket);
  return { peer, forwarded: () => proxies.forwardedFor(peer, req.rawHeaders) };
}

async function grantOf(
  route: Route,
  ctx: Koa.Context,
  params: Readonly<Record<string, string>>,
  options: HandlerOptions,
): Promise<Grant> {
  try {
    return await options.authorize(route, ctx.req.rawHeaders);
  } catch (error) {
    const { actions, limits } = options;
    if (actions === null || !(error instanceof ApiProblem)) throw error;
    const { principal = 'anonymous' } = error;
    const refused = new RequestContext(ctx, params, senderOf(ctx, options.proxies), {
      principal,
      role: null,
      session: null,
      restricted: false,
    });
    // The limit also applies to a user whose session cannot be confirmed.
    if (principal !== 'anonymous') actions.precheck(route, refused);
    await readForRecord(route, refused, ctx, limits);
    actions.refused(route, refused, error);
    throw error;
  }
}

async function admit(
  route: Route,
  requestContext: RequestContext,
  ctx: Koa.Context,
  limits: Limits,
): Promise<void> {
  try {
    await route.precheck?.(requestContext);
  } catch (error) {
    await readForRecord(route, requestContext, ctx, limits);
    throw error;
  }
}

/** Reads the body of a refused action, where the body names it. The answer does not change. */
async function readForRecord(
  route: Route,
  requestContext: RequestContext,
  ctx: Koa.Context,
  limits: Limits,
): Promise<void> {
  // A client that waits for "100 Continue" has not sent its body.
  if (route.action?.inBody === undefined || ctx.get('Expect') !== '') return;
  requestContext.body = await bodyOfRefused(ctx.req, limits.refusedBodyMs);
}

/** 405 when the path is known under another method, else 404. */
function notServed(ctx: Koa.Context, routes: readonly Route[]): ApiProblem {
  const matched = (ctx['matched'] as readonly { name?: string }[] | undefined) ?? [];
  const known = routes.filter(
    (route) => route.served?.() !== false && matched.some(({ name }) => name === route.path),
  );
  if (known.length === 0)
    return new ApiProblem('NOT_FOUND', 'There is no resource at this path. GET /api/v1 lists all routes.');
  const allow = known.flatMap(({ method }) => (method === 'GET' ? [method, 'HEAD'] : [method])).join(', ');
  return new ApiProblem('METHOD_NOT_ALLOWED', `This path supports ${allow} only.`, {
    headers: { Allow: allow },
  });
}

function routeOf(ctx: Koa.Context): string {
  const matched = (ctx['matched'] as readonly { name?: string }[] | undefined) ?? [];
  return matched[0]?.name ?? 'unmatched';
}

function problemOf(error: unknown, log: Logger): ApiProblem {
  if (error instanceof ApiProblem) return error;
  log.error(`a request failed because of an internal error: ${errorTrace(error)}`);
  return new ApiProblem('INTERNAL_ERROR', 'Internal error. See the log of the daemon.');
}
