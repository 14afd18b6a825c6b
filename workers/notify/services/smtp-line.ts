// An SMTP connection: commands and replies over a socket, with TLS from the start or from STARTTLS on. Replies are bounded
// and their text is never repeated: it may contain the address.
import type { LookupFunction, Socket } from 'node:net';
import { connect } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { connect as secureConnect } from 'node:tls';
import type { SendOutcome } from './outcome.js';
import { failed } from './outcome.js';

/** RFC 5321 allows 512 bytes a line; a server has fewer than 32 extensions. */
const longestReplyBytes = 16_384;

/** Carries an outcome through `throw`, within one delivery only. */
export class SmtpRefusal extends Error {
  readonly outcome: SendOutcome;
  /** The code of the refusing reply; null for another failure. */
  readonly code: number | null;

  constructor(outcome: SendOutcome, code: number | null = null) {
    super('refused');
    this.outcome = outcome;
    this.code = code;
  }
}

export interface Target {
  readonly host: string;
  readonly port: number;
  readonly lookup: LookupFunction;
}

interface Waiting {
  readonly resolve: (lines: readonly string[]) => void;
  readonly reject: (error: Error) => void;
}

export class SmtpLine {
  #socket: Socket;
  #encrypted: boolean;
  #received = '';
  #waiting: Waiting | undefined;
  #broken: Error | undefined;
  readonly #signal: AbortSignal;
  readonly #onAbort: () => void;

  private constructor(socket: Socket, encrypted: boolean, signal: AbortSignal) {
    this.#socket = socket;
    this.#encrypted = encrypted;
    this.#signal = signal;
    this.#onAbort = () => this.#break(new Error('given up'));
    signal.addEventListener('abort', this.#onAbort);
    this.#listen();
  }

  /** Connects; with `tls`, encrypted from the first byte. Rejects with Node's error. */
  static async open(target: Target, tls: ConnectionOptions | null, signal: AbortSignal): Promise<SmtpLine> {
    signal.throwIfAborted();
    const socket = connect({ ...target, signal });
    await once(socket, 'connect');
    const line = new SmtpLine(socket, false, signal);
    try {
      if (tls !== null) await line.secure(tls);
      return line;
    } catch (error) {
      line.end();
      throw error;
    }
  }

  get encrypted(): boolean {
    return this.#encrypted;
  }

  /** Starts TLS. Data that came in cleartext must not count as an encrypted reply. */
  async secure(tls: ConnectionOptions): Promise<void> {
    if (this.#received !== '')
      throw new SmtpRefusal(failed('TLS_FAILED', 'it sent unexpected data before the encryption'));
    const plain = this.#socket;
    plain.removeAllListeners('data');
    const secured = secureConnect({ ...tls, socket: plain });
    this.#socket = secured;
    this.#listen();
    await once(secured, 'secureConnect');
    this.#encrypted = true;
  }

  say(text: string): void {
    if (this.#socket.writable) this.#socket.write(`${text}\r\n`);
  }

  /**
   * Sends a command and waits for the reply, whose code must be one of `codes`; returns its lines without the code. `step`
   * names the command in a fault: the command itself may be a password.
   */
  async ask(text: string, step: string, ...codes: readonly number[]): Promise<readonly string[]> {
    this.say(text);
    return this.#reply(codes, step);
  }

  /** Waits for the greeting of the server. */
  async greeted(): Promise<void> {
    await this.#reply([220], greeting);
  }

  end(): void {
    this.#signal.removeEventListener('abort', this.#onAbort);
    // The last command is still sent; a server that does not close is not waited for.
    this.#socket.destroySoon();
    this.#socket.setTimeout(lingerMs, () => this.#socket.destroy());
  }

  async #reply(codes: readonly number[], step: string): Promise<readonly string[]> {
    const lines = await new Promise<readonly string[]>((resolve, reject) => {
      if (this.#broken !== undefined) reject(this.#broken);
      else {
        this.#waiting = { resolve, reject };
        this.#deliver();
      }
    });
    const code = Number(lines.at(-1)?.slice(0, 3));
    if (!codes.includes(code)) throw new SmtpRefusal(refusal(code, step), code);
    return lines.map((line) => line.slice(4));
  }

  #listen(): void {
    const socket = this.#socket;
    socket.on('data', (chunk: Buffer) => {
      this.#received += chunk.toString('latin1');
      if (this.#received.length > longestReplyBytes)
        this.#break(new SmtpRefusal(failed('NOT_UNDERSTOOD', 'its answer is too long; check the address')));
      else this.#deliver();
    });
    socket.on('error', (error) => this.#break(error));
    socket.on('close', () => this.#break(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
  }

  /** A reply is complete with the first line that has a space after its code. */
  #deliver(): void {
    const waiting = this.#waiting;
    if (waiting === undefined) return;
    const whole = /^(?:\d{3}-[^\n]*\n)*\d{3}(?:[ \r][^\n]*)?\n/.exec(this.#received)?.[0];
    if (whole === undefined) {
      if (/^(?:\d{0,3}$|\d{3}[ \r\n-])/.test(this.#received)) return;
      this.#break(
        new SmtpRefusal(failed('NOT_UNDERSTOOD', 'the server at this address does not speak SMTP')),
      );
      return;
    }
    this.#received = this.#received.slice(whole.length);
    this.#waiting = undefined;
    waiting.resolve(whole.trimEnd().split(/\r?\n/));
  }

  #break(error: Error): void {
    this.#broken ??= error;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    this.#socket.destroy();
    waiting?.reject(this.#broken);
  }
}

const greeting = 'the connection';
/** For QUIT to leave the machine. */
const lingerMs = 500;

/** Replies of 4xx are temporary, of 5xx permanent (RFC 5321, 4.2.1). */
function refusal(code: number, step: string): SendOutcome {
  const said = `SMTP ${String(code)} to ${step}`;
  if (code === 535 || code === 534 || code === 530)
    return failed('DENIED', `it refuses the login (${said}); correct user and password in the address`);
  const isForNow = code >= 400 && code < 500;
  if (code === 421 || code === 450 || code === 451 || code === 452 || (isForNow && step === 'RCPT'))
    return failed('BUSY', `it accepts no mail now (${said})`);
  if (code >= 500 && (step === 'MAIL' || step === 'RCPT'))
    return failed(
      'WRONG_ADDRESS',
      `it does not accept mail from or for these addresses (${said}); correct them`,
    );
  if (code >= 500 && step !== greeting) return failed('REFUSED', `it refuses this message (${said})`);
  return failed('SERVICE_ERROR', `it reports an internal error (${said})`);
}

function once(socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (then: () => void) => {
      socket.off(event, good);
      socket.off('error', bad);
      socket.off('close', closed);
      then();
    };
    const good = (): void => settle(resolve);
    const bad = (error: Error): void => settle(() => reject(error));
    const closed = (): void => bad(Object.assign(new Error('closed'), { code: 'ECONNRESET' }));
    socket.once(event, good);
    socket.once('error', bad);
    socket.once('close', closed);
  });
}
