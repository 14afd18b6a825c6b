// Requests to the daemon this page came from, with the session's token if there is one. Nothing else is ever asked.
import type { Session } from './session.js';

/** The daemon gives a question to its history 5 s; the rest is for a slow link. */
const readTimeoutMs = 10_000;
/** A command waits for the UPS: nut_control.timeout is at most a minute and usually 10 s. */
const writeTimeoutMs = 75_000;

/** The daemon said no, or said nothing. `status` is 0 when no answer came. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: unknown = undefined,
  ) {
    super(message);
  }
}

interface Failed {
  readonly error?: { readonly code?: string; readonly message?: string; readonly details?: unknown };
}

export class Requests {
  constructor(readonly session: Session) {}

  /** GET. `alsoFine`: a status besides 200 whose body is what was asked for. Rejects with a Refusal. */
  async get<B>(path: string, alsoFine = 200, timeoutMs = readTimeoutMs): Promise<B> {
    return this.#answered<B>(path, { cache: 'no-store' }, timeoutMs, alsoFine);
  }

  /** Rejects with a Refusal. */
  async send<B>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<B> {
    const init: RequestInit = { method };
    if (body !== undefined) {
      init.body = JSON.stringify(body);
      init.headers = { 'Content-Type': 'application/json' };
    }
    return this.#answered<B>(path, init, writeTimeoutMs, 200);
  }

  /** The stream, open until `signal` aborts or the daemon ends it. Rejects with a Refusal when there is none. */
  async stream(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#fetched('/api/v1/stream', { cache: 'no-store', signal });
    if (!response.ok || response.body === null) throw await this.#refusal(response);
    return response.body;
  }

  async #answered<B>(path: string, init: RequestInit, timeoutMs: number, alsoFine: number): Promise<B> {
    const response = await this.#fetched(path, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    if (!response.ok && response.status !== alsoFine) throw await this.#refusal(response);
    try {
      return (await response.json()) as B;
    } catch (error) {
      throw new Refusal(0, 'BROKEN_ANSWER', `the daemon's answer broke off: ${String(error)}`);
    }
  }

  async #fetched(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    const { token } = this.session;
    if (token !== null) headers.set('Authorization', `Bearer ${token}`);
    try {
      return await fetch(path, { ...init, headers, credentials: 'omit', redirect: 'error' });
    } catch (error) {
      const late = error instanceof DOMException && error.name === 'TimeoutError';
      throw new Refusal(0, 'NO_ANSWER', late ? 'the daemon does not answer' : 'the daemon cannot be reached');
    }
  }

  /** A session that no longer counts is ended here, wherever that was noticed. */
  async #refusal(response: Response): Promise<Refusal> {
    const body = (await response.json().catch(() => ({}))) as Failed;
    const {
      code = '',
      message = `the daemon answered ${String(response.status)}`,
      details,
    } = body.error ?? {};
    if (response.status === 401)
      this.session.end('You were signed out: the session has ended or was taken back.');
    return new Refusal(response.status, code, message, details);
  }
}

/** What went wrong, for a person. Anything but a Refusal is a bug of this page and is thrown on. */
export function refusalText(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  throw error;
}
