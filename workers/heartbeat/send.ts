// One GET without a body: look-up, connection, request and the status of the answer within its time. Follows no redirect: the address
// is a secret. Reads no body.
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { version } from '../../shared/domain/version.js';

/** Services answer within a second; a slow one must not keep the next request waiting. */
const answerMs = 10_000;

/** Null once the other side has taken it, else why not, without any part of the address. */
export function sendTo(address: string, ca: string | undefined, withinMs = answerMs): Promise<string | null> {
  const url = new URL(address);
  return new Promise((resolve) => {
    const options = {
      // A connection for each: they are a minute apart.
      agent: false,
      headers: { 'User-Agent': `ridethrough/${version}` },
      signal: AbortSignal.timeout(withinMs),
    } as const;
    const outgoing =
      url.protocol === 'https:'
        ? secureRequest(url, { ...options, ...(ca === undefined ? {} : { ca }) })
        : plainRequest(url, options);
    const done = (fault: string | null): void => {
      resolve(fault);
      outgoing.destroy();
    };
    outgoing.on('error', (error: NodeJS.ErrnoException) => done(faultOf(error, withinMs)));
    outgoing.once('response', ({ statusCode = 0 }) => done(statusFault(statusCode)));
    outgoing.end();
  });
}

function statusFault(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  const answered = `it answers with HTTP ${String(status)}`;
  if (status >= 300 && status < 400)
    return `${answered}, a redirect, which is not followed; correct the address`;
  return status === 404 || status === 410 ? `${answered}; correct the address` : answered;
}

/** Only the code: the message may have the host and the address. */
function faultOf({ name, code = '' }: NodeJS.ErrnoException, withinMs: number): string {
  if (name === 'TimeoutError' || name === 'AbortError')
    return `it does not answer within ${String(withinMs / 1000)} s`;
  const known: Readonly<Record<string, string>> = {
    ENOTFOUND: 'there is no host of this name',
    EAI_AGAIN: 'the name server does not answer',
    ECONNREFUSED: 'nothing listens at this address',
    ECONNRESET: 'it closed the connection',
  };
  return known[code] ?? `the request failed (${code === '' ? name : code})`;
}
