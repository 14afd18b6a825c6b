// Connections with HTTP errors: not parsable, too large, too late. Sends one JSON error, after earlier answers, and closes.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../../../shared/http/errors.js';
import { answerRaw } from '../http/answer.js';
import { inTurn } from './in-turn.js';
import type { Limits } from '../http/limits.js';

/** Codes of Node and of its parser; any other parser code is a 400. */
const answers: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  HPE_HEADER_OVERFLOW: ['HEADERS_TOO_LARGE', 'The request line and headers exceed 16 KiB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['PAYLOAD_TOO_LARGE', 'The chunk extensions of the body are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', 'The request was not complete in time.'],
};

export class MalformedRequests {
  readonly #limits: Limits;
  readonly #given = new WeakSet<Duplex>();
  readonly #answeredEarly = new WeakSet<Duplex>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  /** The request was answered before its body ended: an error in that body gets no second answer. */
  answeredEarly(socket: Duplex, request: IncomingMessage): void {
    this.#answeredEarly.add(socket);
    request.once('end', () => this.#answeredEarly.delete(socket));
  }

  /** Handles the event `clientError`. */
  given(error: NodeJS.ErrnoException, socket: Duplex & { readonly bytesRead?: number }): void {
    // After an error the parser reports every further chunk again.
    if (this.#given.has(socket)) return;
    this.#given.add(socket);
    const [code, message] = answers[error.code ?? ''] ?? ['INVALID_REQUEST', 'This is not HTTP/1.1.'];
    const gone = !socket.writable || error.code === 'ECONNRESET' || error.code === 'EPIPE';
    if (gone || socket.bytesRead === 0 || this.#answeredEarly.has(socket)) socket.destroy();
    else inTurn(socket, () => this.#answer(socket, code, message));
  }

  #answer(socket: Duplex, code: ErrorCode, message: string): void {
    answerRaw(socket, code, message);
    // Reading on briefly keeps the kernel from resetting the connection before the client has read the answer.
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), this.#limits.drainMs);
    socket.once('close', () => clearTimeout(timer));
  }
}
