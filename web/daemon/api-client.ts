// Requests to the daemon that served this page, with the token of the session. Never to another host. A proxy in front may have a
// login of its own: its cookie and its Authorization go with every request, and its answers are none of the daemon's.
import { sessionHeader } from '../../shared/domain/status/session-header.js';
import type { DashboardSession } from './session.js';

/** A query of the history may take 5 s; the rest is for a slow link. */
const readTimeoutMs = 10_000;
/** A command waits for the UPS: nut_control.timeout is at most 60 s, by default 10 s. */
const writeTimeoutMs = 75_000;

export const sessionRejected = 'You were signed out: the session has expired or was revoked.';

/** The code of an answer that a proxy gave in place of the daemon. */
export const proxyLogin = 'PROXY_LOGIN';
const proxyAsks = (): RequestError =>
  new RequestError(0, proxyLogin, 'a proxy in front of the daemon asks for its own login; reload the page');

const isPage = (response: Response): boolean =>
  response.headers.get('Content-Type')?.startsWith('text/html') === true;

/** 401, and 403 of oauth2-proxy, come with the page of a login. */
const answeredInPlace = (status: number): RequestError =>
  status === 401 || status === 403
    ? proxyAsks()
    : new RequestError(0, 'NO_ANSWER', `a proxy answered ${String(status)} in place of the daemon`);

/** The daemon refused the request or did not answer. `status` is 0 without an answer. */
export class RequestError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: unknown = undefined,
  ) {
    super(message);
  }
}

interface ErrorBody {
  readonly error?: { readonly code?: string; readonly message?: string; readonly details?: unknown };
}

export class ApiClient {
  constructor(readonly session: DashboardSession) {}

  /** GET. `alsoAccepted`: a status other than 200 with the same body. Rejects with a RequestError. */
  async get<B>(path: string, alsoAccepted = 200, timeoutMs = readTimeoutMs): Promise<B> {
    return this.#json<B>(path, { cache: 'no-store' }, timeoutMs, alsoAccepted);
  }

  /** Rejects with a RequestError. */
  async send<B>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<B> {
    const init: RequestInit = { method };
    if (body !== undefined) {
      init.body = JSON.stringify(body);
      init.headers = { 'Content-Type': 'application/json' };
    }
    return this.#json<B>(path, init, writeTimeoutMs, 200);
  }

  /** GET of a file. Rejects with a RequestError. */
  async file(path: string, timeoutMs = readTimeoutMs): Promise<Blob> {
    const response = await this.#fetch(path, { signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok) throw await this.#errorOf(response);
    if (isPage(response) && !/\bformat=html\b/.test(path)) throw proxyAsks();
    return whole(response.blob());
  }

  /** The stream, open until `signal` aborts or the daemon ends it. Rejects with a RequestError when it cannot be opened. */
  async stream(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#fetch('/api/v1/stream', { cache: 'no-store', signal });
    if (!response.ok || response.body === null) throw await this.#errorOf(response);
    return response.body;
  }

  /** The ETag of a file; null without one. Rejects with a RequestError. */
  async tagOf(path: string): Promise<string | null> {
    const signal = AbortSignal.timeout(readTimeoutMs);
    const response = await this.#fetch(path, { method: 'HEAD', cache: 'no-store', signal });
    return response.ok ? response.headers.get('ETag') : null;
  }

  async #json<B>(path: string, init: RequestInit, timeoutMs: number, alsoAccepted: number): Promise<B> {
    const response = await this.#fetch(path, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok && response.status !== alsoAccepted) throw await this.#errorOf(response);
    // A page of a login in place of an answer.
    if (isPage(response)) throw answeredInPlace(response.ok ? 401 : response.status);
    return whole(response.json() as Promise<B>);
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    const { token } = this.session;
    if (token !== null) headers.set(sessionHeader, token);
    try {
      // Relative to this page, which may be below a path of a proxy.
      const response = await fetch(path.replace(/^\//, ''), {
        ...init,
        headers,
        credentials: 'same-origin',
        redirect: 'manual',
      });
      // The daemon redirects no request of this page.
      if (response.type === 'opaqueredirect') throw proxyAsks();
      // Refused for what was the session before: that says nothing of the present one.
      return response.status === 401 && token !== this.session.token
        ? await this.#fetch(path, init)
        : response;
    } catch (error) {
      if (error instanceof RequestError) throw error;
      const late = error instanceof DOMException && error.name === 'TimeoutError';
      throw new RequestError(
        0,
        'NO_ANSWER',
        late ? 'the daemon does not answer' : 'the daemon cannot be reached',
      );
    }
  }

  /** The error of a response. Ends the session after a 401. */
  async #errorOf(response: Response): Promise<RequestError> {
    const body = (await response.json().catch(() => ({}))) as ErrorBody;
    const { code, message = '', details } = body.error ?? {};
    // Each refusal of the daemon has a code.
    if (code === undefined) return answeredInPlace(response.status);
    if (response.status === 401) this.session.end(sessionRejected);
    return new RequestError(response.status, code, message, details);
  }
}

/** The body of an answer. Rejects with a RequestError when the connection breaks before its end. */
async function whole<B>(body: Promise<B>): Promise<B> {
  try {
    return await body;
  } catch (error) {
    throw new RequestError(0, 'BROKEN_ANSWER', `the answer of the daemon is incomplete: ${String(error)}`);
  }
}

/** The message of a RequestError. Throws any other error again: it is a bug of this page. */
export function requestErrorText(error: unknown): string {
  if (error instanceof RequestError) return error.message;
  throw error;
}
