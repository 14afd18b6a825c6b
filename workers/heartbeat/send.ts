// One GET without a body: look-up, connection, request, the status of the answer and the first of its text within its time. Follows
// no redirect: the address is a secret.
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
    // Its status has taken the heartbeat, however the rest fails.
    let isTaken = false;
    outgoing.on('error', (error) =>
      done(isTaken ? null : faultOf(isOfProxy ? proxyFault(error, proxy) : error, withinMs)),
    );
    outgoing.once('response', (incoming) => {
      const { statusCode = 0 } = incoming;
      const fault =
        statusCode === 407 && proxy !== null ? refusalOf(proxy, statusCode) : statusFault(statusCode);
      if (fault !== null) return void done(fault);
      incoming.once('data', (first: Buffer) => done(textFault(first.toString('latin1', 0, 200))));
      isTaken = true;
      for (const end of ['end', 'error'] as const) incoming.once(end, () => done(null));
    });
    outgoing.end();
  });
}

/** A page is that of a proxy or a login; Healthchecks answers 200 to an address that it does not know, and to too many. */
function textFault(text: string): string | null {
  if (/^\s*<(?:!doctype\s+)?html\b/i.test(text))
    return 'it answers with a web page, such as that of a login; correct the address, or let requests to it pass';
  const [answer] = /^OK \((?:not found|rate limited)[^)]*\)/.exec(text) ?? [];
  return answer === undefined ? null : `it answers "${answer}"; correct the address, or send fewer`;
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
