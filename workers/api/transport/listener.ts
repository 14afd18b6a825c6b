// One listener, TCP or Unix socket: opens its endpoint, retries after a failure, and moves it at run time. Every endpoint has a
// new server, so that the old one can finish its requests.
import type { Server } from 'node:http';
import type { Limits } from '../http/limits.js';
import { errorMessage } from '../../../shared/domain/base/error-message.js';

/** One endpoint. `open` rejects with a message for the log. */
export interface Endpoint {
  /** Equal names mean the same endpoint. */
  readonly name: string;
  /** Resolves with the actual address: an ephemeral port has its number. */
  readonly open: (server: Server) => Promise<string>;
}

export class Listener {
  readonly #server: () => Server;
  readonly #limits: Limits;
  readonly #report: (address: string, error: string | null) => void;
  #current: {
    readonly endpoint: Endpoint;
    server: Server | undefined;
    address: string | null;
    retry: NodeJS.Timeout | undefined;
  } | null = null;
  #lastError: string | null = null;

  /** Calls `report` when the endpoint is open, and for each new reason why it cannot be opened. */
  constructor(server: () => Server, limits: Limits, report: (address: string, error: string | null) => void) {
    this.#server = server;
    this.#limits = limits;
    this.#report = report;
  }

  /** The actual address; null while it does not listen. */
  get address(): string | null {
    return this.#current?.address ?? null;
  }

  /** Listens only there; null: nowhere. Resolves after the first attempt, successful or not. */
  async move(to: Endpoint | null): Promise<void> {
    if (to?.name === this.#current?.endpoint.name) return;
    await this.#leave();
    this.#lastError = null;
    if (to === null) return;
    this.#current = { endpoint: to, server: undefined, address: null, retry: undefined };
    await this.#open(to);
  }

  async #open(endpoint: Endpoint): Promise<void> {
    const server = this.#server();
    let address = endpoint.name;
    let error: string | null = null;
    try {
      address = await endpoint.open(server);
    } catch (cause) {
      error = errorMessage(cause);
    }
    const current = this.#current;
    if (current?.endpoint !== endpoint) {
      end(server, this.#limits.drainMs);
      return;
    }
    if (error === null) {
      current.server = server;
      current.address = address;
      server.on('error', (cause) =>
        this.#report(address, `a connection could not be accepted: ${cause.message}`),
      );
    } else current.retry = setTimeout(() => void this.#open(endpoint), this.#limits.reopenMs);
    if (error === null || error !== this.#lastError) this.#report(address, error);
    this.#lastError = error;
  }

  async #leave(): Promise<void> {
    const left = this.#current;
    this.#current = null;
    clearTimeout(left?.retry);
    if (left?.server === undefined) return;
    end(left.server, this.#limits.drainMs);
    // The port is free only on the next turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Accepts no new connection; requests under way get a short time to finish. */
function end(server: Server, drainMs: number): void {
  if (server.listening) server.close();
  server.closeIdleConnections();
  setTimeout(() => server.closeAllConnections(), drainMs).unref();
}
