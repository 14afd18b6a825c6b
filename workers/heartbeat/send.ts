// One GET without a body: look-up, connection, request and the status of the answer within its time. Follows no redirect: the address
// is a secret. Reads no body.
import type { Proxy } from '../../shared/domain/services/outbound-proxies.js';
import { version } from '../../shared/domain/base/version.js';
import { outboundRequest, proxyFault, ProxyFault, refusalOf } from '../../shared/runtime/outbound-request.js';

/** Services answer within a second; a slow one must not keep the next request waiting. */
const answerMs = 10_000;

/** Null once the other side has taken it, else why not, without any part of the address. */
export function sendTo(
  address: string,
  ca: string | undefined,
  proxy: Proxy | null,
  withinMs = answerMs,
): Promise<string | null> {
  const url = new URL(address);
  return new Promise((resolve) => {
    const outgoing = outboundRequest(url, {
      method: 'GET',
      headers: { 'User-Agent': `ridethrough/${version}` },
      signal: AbortSignal.timeout(withinMs),
      ca,
      proxy,
    });
    const done = (fault: string | null): void => {
      resolve(fault);
      outgoing.destroy();
    };
    // In a tunnel what fails later is of the far side.
    const isOfProxy = proxy !== null && url.protocol === 'http:';
    outgoing.on('error', (error) => done(faultOf(isOfProxy ? proxyFault(error, proxy) : error, withinMs)));
    outgoing.once('response', ({ statusCode = 0 }) =>
      done(statusCode === 407 && proxy !== null ? refusalOf(proxy, statusCode) : statusFault(statusCode)),
    );
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
function faultOf(error: NodeJS.ErrnoException, withinMs: number): string {
  const { name, code = '' } = error;
  if (error instanceof ProxyFault) return error.message;
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
