// Sends a reply: its headers, its encoding, in as few writes as possible. It does not decide the content.
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { standardHeaders } from './answer.js';
import type { Reply } from './route.js';

export function send(ctx: Context, reply: Reply): void {
  const { body, headers } = reply;
  if (!(body instanceof Readable) && reply.compressed === undefined && headers?.['ETag'] === undefined) {
    sendAsItIs(ctx, reply, body);
    return;
  }
  ctx.set({ ...standardHeaders, ...reply.headers });
  ctx.status = reply.status;
  ctx.set('Content-Type', reply.type);
  ctx.body = reply.body;
  compress(ctx, reply);
  if (ctx.fresh && ctx.response.get('ETag') !== '') ctx.status = 304;
}

/**
 * Sends most answers: immediately and without koa, which would process every header again.
 *
 * The write is the most expensive part of an answer from memory. The headers and a text, or the lead of a body, go out as
 * one string whose characters are bytes; a body of bytes is not copied. `end` comes after the uncorking, because it joins
 * its argument to a second, empty chunk, and two chunks are copied into a new buffer. Measured on a bare server this saves
 * 3.6 of 14.4 us for 8 KB (the status of ten UPSes) and 1 of 11 us for a short text.
 */
function sendAsItIs(ctx: Context, reply: Reply, body: string | Buffer): void {
  const { status, type, headers, lead = '' } = reply;
  const { res } = ctx;
  const bytes = Buffer.byteLength(body);
  ctx.respond = false;
  res.writeHead(status, {
    ...standardHeaders,
    ...headers,
    'Content-Type': type,
    'Content-Length': lead.length + bytes,
  });
  if (ctx.method !== 'HEAD') {
    const { socket } = res;
    socket?.cork();
    if (lead !== '') res.write(lead, 'latin1');
    res.write(body, bytes === body.length ? 'latin1' : 'utf8');
    socket?.uncork();
  }
  res.end();
}

/** The best encoding that the client accepts. Each encoding has its own ETag: ETags are strong, and the bytes differ. */
function compress(ctx: Context, { compressed }: Reply): void {
  if (compressed === undefined) return;
  const coding = (['br', 'gzip'] as const).find((one) => ctx.acceptsEncodings(one) === one);
  if (coding === undefined) return;
  ctx.body = compressed[coding];
  ctx.set('Content-Encoding', coding);
  ctx.set('ETag', ctx.response.get('ETag').replace(/"$/, `-${coding}"`));
}
