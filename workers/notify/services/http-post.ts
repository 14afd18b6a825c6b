// One HTTP request with a message: look-up, connection, request, answer; the signal ends all of it. It follows no redirect: a message and its
// token go only to the configured address.
import type { ClientRequest, IncomingMessage } from 'node:http';
import { version } from '../../../shared/domain/base/version.js';
import { outboundRequest, proxyFault, refusalOf } from '../../../shared/runtime/outbound-request.js';
import type { Proxy } from '../../../shared/domain/services/outbound-proxies.js';
import type { Network } from './network.js';
import type { SendOutcome } from './outcome.js';
import { delivered, failureOf, networkFault } from './outcome.js';
import type { MaskedWords } from './own-words.js';
import { ownWords, sentenceIn } from './own-words.js';

export interface PostRequest {
  /** Complete, http:// or https://. */
  readonly url: string;
  readonly method?: 'POST' | 'PUT';
  /** A status of success that is none here. */
  readonly refusesWith?: number;
  /** Its success has no page: one is that of a proxy or another program, and the message is lost. */
  readonly hasNoPages?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: object;
  /** Masked in what the far side says. */
  readonly secrets: MaskedWords;
}

/** The answer to a request that did not succeed. */
export interface HttpRefusal {
  readonly status: number;
  readonly retryAfterMs: number | null;
  /** The beginning of the body; empty without one. */
  readonly body: string;
  /** Its own sentence for a message: `: "…"`, or empty. */
  readonly words: string;
}

/** Enough of an error body for its reason. */
const maxBodyBytes = 4096;
/** Longest wait for the body once the status is known. */
const bodyPatienceMs = 1000;
/** Longest pause that a service may request: a safety event may be waiting. */
const maxPauseMs = 3_600_000;

/** `judge` may interpret a refusal; where it returns undefined, the status decides. */
export function post(
  postRequest: PostRequest,
  network: Network,
  signal: AbortSignal,
  outcomeOf: (refusal: HttpRefusal) => SendOutcome | undefined = () => undefined,
): Promise<SendOutcome> {
  return new Promise((resolve) => {
    const proxy = network.proxyFor(postRequest.url);
    const outgoing = begin(postRequest, proxy, network, signal);
    const done = (outcome: SendOutcome): void => {
      resolve(outcome);
      outgoing.destroy();
    };
    // In a tunnel what fails later is of the far side.
    const isOfProxy = proxy !== null && postRequest.url.startsWith('http:');
    outgoing.on('error', (error) => done(networkFault(isOfProxy ? proxyFault(error, proxy) : error)));
    outgoing.once('response', (incoming) => {
      const status = incoming.statusCode ?? 0;
      const isPage =
        postRequest.hasNoPages === true && /^text\/html\b/i.test(incoming.headers['content-type'] ?? '');
      if (status >= 200 && status < 300 && status !== postRequest.refusesWith && !isPage) {
        done(delivered);
        return;
      }
      if (status === 407 && proxy !== null) {
        done(failureOf('UNREACHABLE', refusalOf(proxy, status)));
        return;
      }
      void beginningOf(incoming).then((body) => {
        const refusal = {
          status,
          body,
          words: ownWords(sentenceIn(body), postRequest.secrets),
          retryAfterMs: pauseOf(incoming.headers['retry-after']),
        };
        done(outcomeOf(refusal) ?? byStatus(refusal));
      });
    });
    // An answer may come before the end of the request; the end of the socket is an error.
    outgoing.end(JSON.stringify(postRequest.body));
  });
}

function begin(
  { url, headers, method = 'POST' }: PostRequest,
  proxy: Proxy | null,
  { lookup, ca }: Network,
  signal: AbortSignal,
): ClientRequest {
  return outboundRequest(new URL(url), {
    method,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'User-Agent': `ridethrough/${version}`,
      ...headers,
    },
    lookup,
    signal,
    ca,
    proxy,
  });
}

function beginningOf(incoming: IncomingMessage): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const done = (): void => {
      clearTimeout(timer);
      resolve(Buffer.concat(chunks).toString('utf8', 0, maxBodyBytes));
    };
    const timer = setTimeout(done, bodyPatienceMs);
    incoming.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= maxBodyBytes) done();
    });
    incoming.once('end', done);
    incoming.once('error', done);
    incoming.once('close', done);
  });
}

/** The body as JSON; undefined where it is none: it may come from a proxy. */
export function jsonOf({ body }: HttpRefusal): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Retry-After in seconds or as a date (RFC 9110, 10.2.3). */
function pauseOf(header: string | undefined): number | null {
  if (header === undefined) return null;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return boundPause(ms);
}

/** A pause that a service requests, in ms, bounded; null when it is not valid. */
export function boundPause(ms: number): number | null {
  return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, maxPauseMs) : null;
}

function byStatus({ status, retryAfterMs, words }: HttpRefusal): SendOutcome {
  const answer = `(HTTP ${String(status)})${words}`;
  if (status === 401)
    return failureOf(
      'DENIED',
      `it refuses the credentials ${answer}; correct the token or password in the address`,
    );
  if (status === 403)
    return failureOf(
      'DENIED',
      `it does not permit this message ${answer}; check what the token or user of the address may do there`,
    );
  if (status === 404 || status === 410)
    return failureOf('WRONG_ADDRESS', `there is no resource at this address ${answer}; correct it`);
  if (status === 408 || status === 425 || status === 429)
    return failureOf('BUSY', `it limits the rate of messages ${answer}`, retryAfterMs);
  if (status >= 300 && status < 400)
    return failureOf(
      'WRONG_ADDRESS',
      `it redirects to another address (HTTP ${String(status)}), which is not followed; correct the address`,
    );
  if (status >= 200 && status < 300)
    return failureOf(
      'NOT_UNDERSTOOD',
      `a page answers in its place ${answer}; correct the address, or let this request pass the login of a proxy before it`,
    );
  if (status >= 400 && status < 500)
    return failureOf('REFUSED', `it refuses this message ${answer}`, retryAfterMs);
  return failureOf('SERVICE_ERROR', `it reports an internal error ${answer}`, retryAfterMs);
}
