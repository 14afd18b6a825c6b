// Request bodies: one JSON object within a size and a time (specification/api.md#request-bodies), or discarded where the
// route takes none.
import type { IncomingMessage } from 'node:http';
import type { Context } from 'koa';
import { ApiProblem } from './problem.js';

/** See specification/api.md#request-bodies. */
const maxBytes = 256 * 1024;
/** For the body of a refused request: longer than any body of an action (name, value). */
const maxRefusedBytes = 4096;

type Middleware = (ctx: Context, next: () => Promise<void>) => Promise<unknown>;
let parser: Promise<Middleware> | undefined;

/**
 * Loads the parser once. It costs 20 MiB and 0.1 s without answers. An API that takes no body never loads it; another loads it
 * before it listens.
 */
export function bodyParser(): Promise<Middleware> {
  parser ??= loadParser();
  return parser;
}

/** Throws 408, 413 or 400. An empty body is `{}`. */
export async function readBody(ctx: Context, withinMs: number): Promise<Readonly<Record<string, unknown>>> {
  const parse = await bodyParser();
  // A body is JSON, whatever its Content-Type.
  ctx.req.headers['content-type'] = 'application/json';
  if (ctx.get('Expect') !== '') ctx.res.writeContinue();
  await beforeDeadline(
    parse(ctx, () => Promise.resolve()),
    withinMs,
  );
  const body: unknown = (ctx.request as unknown as { readonly body?: unknown }).body ?? {};
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw notAnObject();
  return body as Readonly<Record<string, unknown>>;
}

/**
 * Reads the body of a refused request, for the audit row only. `{}` unless it is a small JSON object that arrives in time. Does
 * not use the parser: a refused client must not cost 20 MiB.
 */
export function bodyOfRefused(
  request: IncomingMessage,
  withinMs: number,
): Promise<Readonly<Record<string, unknown>>> {
  if (request.readableEnded || request.destroyed) return Promise.resolve({});
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      if (chunks.reduce((sum, { length }) => sum + length, 0) > maxRefusedBytes) give({});
    };
    const end = (): void => give(objectIn(Buffer.concat(chunks).toString()));
    const give = (body: Readonly<Record<string, unknown>>): void => {
      clearTimeout(timer);
      request.off('data', take).off('end', end).off('close', end);
      resolve(body);
    };
    const timer = setTimeout(() => give({}), withinMs);
    request.on('data', take).on('end', end).on('close', end);
  });
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

/** Discards the rest of a body, up to a bound, so that the answer arrives and the connection can be reused. */
export function discardBody(request: IncomingMessage, maxUnwanted: number): void {
  if (request.complete && request.readableLength === 0) return;
  let left = maxUnwanted;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.socket.destroy();
  });
}

async function loadParser(): Promise<Middleware> {
  const { HttpMethodEnum, koaBody } = await import('koa-body');
  return koaBody({
    json: true,
    text: false,
    urlencoded: false,
    multipart: false,
    jsonLimit: maxBytes,
    parsedMethods: [HttpMethodEnum.POST, HttpMethodEnum.PUT, HttpMethodEnum.DELETE],
    onError: (error) => {
      throw refusal(error);
    },
  });
}

function refusal(error: Error): ApiProblem {
  const { status } = error as { readonly status?: number };
  if (status === 413)
    return new ApiProblem('PAYLOAD_TOO_LARGE', `The body exceeds ${String(maxBytes / 1024)} KiB.`);
  return notAnObject();
}

function notAnObject(): ApiProblem {
  return new ApiProblem('INVALID_REQUEST', 'The body is not a JSON object.');
}

function beforeDeadline(work: Promise<unknown>, withinMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      const message = `The body was not complete within ${String(withinMs / 1000)} s.`;
      reject(new ApiProblem('REQUEST_TIMEOUT', message, { headers: { Connection: 'close' } }));
    }, withinMs);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
