// One connection to a NUT server: one request in flight, a deadline for every wait. After any error it is destroyed.
import type { LookupAddress } from 'node:dns';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import type { Expected, KnownRow, ParsedAnswer } from './answer.js';
import { AnswerReader, isBlank } from './answer.js';
import type { Deadline } from './deadline.js';
import { whenOverdue } from './deadline.js';
import type { NutAnswer, NutFailure } from './errors.js';
import { answerOf, failureOf, refusalOf, socketFailure } from './errors.js';
import type { TlsSettings } from './tls.js';
import { upgrade, verifies } from './tls.js';
import { LineBuffer, textOf } from './wire.js';

/** After this time without an answer it tries the next address of the name; a refusal is immediate. */
const attemptMs = 1000;
/** What any connection has received, read before the next one is: none of them allocates. */
const received = Buffer.allocUnsafeSlow(65_536);

export type RawAnswer = Extract<ParsedAnswer, { kind: 'line' | 'rows' }>;

/** Sends one request on a connection. `onSent`: called when it goes to the server. */
export type NutAsk = (
  line: string,
  expected: Expected,
  deadline: Deadline,
  onSent?: () => void,
) => Promise<NutAnswer<RawAnswer>>;

interface Waiting {
  readonly reader: AnswerReader;
  readonly settle: (answer: NutAnswer<RawAnswer>) => void;
}

export class NutConnection {
  #socket: Socket | undefined;
  readonly #lines = new LineBuffer();
  #waiting: Waiting | undefined;
  #broken: { ok: false; failure: NutFailure } | undefined;
  #receivedBytes = 0;
  #hasAnswered = false;
  #isVerified = false;
  /** Of the last list. */
  #known: { readonly request: string; readonly rows: readonly KnownRow[] } = { request: '', rows: [] };
  readonly #activate: () => void;
  readonly #onError = (error: Error): void => this.#break(socketFailure(error, 'the connection broke'));
  readonly #onClose = (): void => {
    this.#endList();
    this.#break(failureOf('SERVER_DOWN', 'the server closed the connection before its answer was complete'));
  };

  /** `activate` is called before received data are read. */
  constructor(activate: () => void = () => undefined) {
    this.#activate = activate;
  }

  /** True while the connection has had no error. */
  get usable(): boolean {
    return this.#socket !== undefined && this.#broken === undefined;
  }

  /** The server has proved its identity by a certificate, or is on this machine. */
  get isTrusted(): boolean {
    return this.#isVerified || isLoopback(this.#socket?.remoteAddress ?? '');
  }

  /** No byte came since the last request: the server had closed the connection before it read the request. */
  get receivedNothing(): boolean {
    return this.#receivedBytes === 0;
  }

  /** An earlier request has got its answer. */
  get hasAnswered(): boolean {
    return this.#hasAnswered;
  }

  /** Tries the addresses in order. `host` is for messages. */
  async open(
    host: string,
    port: number,
    addresses: readonly LookupAddress[],
    deadline: Deadline,
  ): Promise<NutAnswer<void>> {
    const where = `${host} port ${String(port)}`;
    // Node tries every address that `lookup` returns, of both families, and reports the error of the first.
    const socket = connect({
      host: addresses[0]?.address ?? host,
      port,
      noDelay: true,
      onread: {
        buffer: received,
        callback: (length) => {
          this.#receive(received.subarray(0, length));
          return true;
        },
      },
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: attemptMs,
      ...(addresses.length > 1
        ? { host, lookup: (_host, _options, found) => found(null, [...addresses], 0) }
        : {}),
    });
    this.#socket = socket;
    return new Promise((resolve) => {
      const end = (answer: NutAnswer<void>): void => {
        cancel();
        socket.off('error', onError).off('close', onClose).off('connect', onConnect);
        if (answer.ok) this.#listen(socket);
        else this.#break(answer);
        resolve(answer);
      };
      const onError = (error: Error): void => end(socketFailure(error, where));
      const onClose = (): void => end(this.#broken ?? failureOf('SERVER_DOWN', `${where}: closed`));
      const onConnect = (): void => end(answerOf(undefined));
      const cancel = whenOverdue(deadline, () =>
        end(failureOf('TIMEOUT', `${where}: not connected within ${String(deadline.totalMs)} ms`)),
      );
      socket.once('error', onError).once('close', onClose).once('connect', onConnect);
    });
  }

  /** Starts TLS on the connection; the server has just agreed to it. */
  async encrypt(host: string, settings: TlsSettings, deadline: Deadline): Promise<NutAnswer<void>> {
    const socket = this.#socket;
    if (socket === undefined || this.#broken !== undefined) return this.#gone();
    socket.off('error', this.#onError).off('close', this.#onClose);
    const secure = await upgrade(socket, host, settings, deadline);
    if (!secure.ok) {
      this.#break(secure);
      return secure;
    }
    this.#socket = secure.value;
    this.#isVerified = verifies(settings);
    secure.value.on('data', (chunk: Buffer) => this.#receive(chunk));
    this.#listen(secure.value);
    return answerOf(undefined);
  }

  /** Sends one line and waits for its answer. An ERR answer is a failure that leaves the connection usable. */
  ask(
    line: string,
    expected: Expected,
    deadline: Deadline,
    onSent?: () => void,
  ): Promise<NutAnswer<RawAnswer>> {
    const socket = this.#socket;
    this.#receivedBytes = 0;
    if (socket === undefined || this.#broken !== undefined) return Promise.resolve(this.#gone());
    if (this.#waiting !== undefined) throw new Error('a request is already in flight on this connection');
    return new Promise((resolve) => {
      const cancel = whenOverdue(deadline, () => this.#break(failureOf('TIMEOUT', this.#lateness(deadline))));
      const reader = new AnswerReader(expected, this.#known.request === line ? this.#known.rows : undefined);
      this.#waiting = {
        reader,
        settle: (answer) => {
          cancel();
          this.#waiting = undefined;
          if (answer.ok && expected.kind === 'list') this.#known = { request: line, rows: reader.knownRows };
          resolve(answer);
        },
      };
      onSent?.();
      socket.write(`${line}\n`);
    });
  }

  /** Ends it immediately; a request in flight fails. */
  destroy(): void {
    this.#break(failureOf('SERVER_DOWN', 'the daemon closed the connection'));
  }

  #lateness({ totalMs }: Deadline): string {
    const within = `within ${String(totalMs)} ms`;
    if (this.receivedNothing) return `the server did not answer ${within}`;
    return `the server did not end its answer ${within}; where it is slow, a longer check_interval gives it up to 10 s`;
  }

  #listen(socket: Socket): void {
    socket.on('error', this.#onError).on('close', this.#onClose);
  }

  #receive(chunk: Buffer): void {
    if (this.#broken !== undefined) return;
    this.#activate();
    this.#receivedBytes += chunk.length;
    const waiting = this.#waiting;
    if (waiting === undefined) {
      // Some servers end an answer with an empty line.
      if (isBlank(textOf(chunk))) return;
      this.#break(failureOf('PROTOCOL_ERROR', 'the server sent data without a request'));
      return;
    }
    let parsed: ParsedAnswer | undefined;
    let more = false;
    const fits = this.#lines.push(chunk, (bytes, start, end) => {
      if (parsed === undefined) parsed = waiting.reader.line(bytes, start, end);
      else more ||= !isBlank(textOf(bytes.subarray(start, end)));
    });
    if (!fits && parsed === undefined)
      parsed = { kind: 'nonsense', why: 'a line of the answer does not end' };
    if (parsed === undefined) return;
    this.#hasAnswered = true;
    if (parsed.kind === 'nonsense') this.#break(failureOf('PROTOCOL_ERROR', parsed.why));
    else if (more || !fits || !isBlank(textOf(this.#lines.rest)))
      this.#break(failureOf('PROTOCOL_ERROR', 'the server sent more than the answer'));
    else if (parsed.kind === 'error') waiting.settle(refusalOf(parsed.token, parsed.text));
    else waiting.settle(answerOf(parsed));
  }

  /** The end of a list may lack its line break. */
  #endList(): void {
    const waiting = this.#waiting;
    const last = this.#lines.rest;
    const parsed = waiting === undefined || last.length === 0 ? undefined : waiting.reader.line(last);
    if (parsed?.kind === 'rows') waiting?.settle(answerOf(parsed));
  }

  #break(why: { ok: false; failure: NutFailure }): void {
    if (this.#broken !== undefined) return;
    this.#broken = why;
    // Errors of a socket that is being destroyed do not matter.
    this.#socket?.on('error', () => undefined);
    this.#socket?.destroy();
    this.#waiting?.settle(why);
  }

  #gone(): { ok: false; failure: NutFailure } {
    return this.#broken ?? failureOf('SERVER_DOWN', 'not connected');
  }
}

/** Loopback as the socket reports it, not as a name server does. */
const isLoopback = (address: string): boolean => /^(?:::ffff:)?127\.|^::1$/.test(address);
