// Whether the connections to one server are encrypted: asks for TLS, and remembers a server that has none
// (specification/nut.md#tls).
import type { NutConnection } from './connection.js';
import { Deadline } from './deadline.js';
import type { NutAnswer, NutFailure } from './errors.js';
import { answerOf, failureOf } from './errors.js';
import type { TlsSettings } from './tls.js';
import { checksServer, spokenVersions } from './tls.js';

/** The server may have got a certificate since it refused TLS. */
const tlsRetryMs = 3_600_000;

export interface StarttlsOptions {
  readonly tls: TlsSettings;
  readonly host: string;
  /** Every connection begins with a password. */
  readonly sendsPassword: boolean;
}

export class Starttls {
  readonly #options: StarttlsOptions;
  #plainUntil = new Deadline(0);
  #isSilent = false;
  #hasBegun = false;
  #why: string | null = null;

  constructor(options: StarttlsOptions) {
    this.#options = options;
  }

  /** Why connections are in plain text, of a server that has not said with an ERR that it has no TLS; else null. */
  get doubtfulPlainText(): string | null {
    return this.#isPlain ? this.#why : null;
  }

  /** On a new connection. `notice` logs a change. */
  async secure(
    connection: NutConnection,
    deadline: Deadline,
    notice: (message: string) => void,
  ): Promise<NutAnswer<void>> {
    const { tls, host } = this.#options;
    if (tls.mode === 'off' || this.#isPlain) return answerOf(undefined);
    const offered = await connection.ask('STARTTLS', { kind: 'line' }, deadline);
    if (!offered.ok)
      return connection.usable
        ? this.#refused(offered, notice)
        : this.#unanswered(offered.failure, connection.receivedNothing, notice);
    const line = offered.value.kind === 'line' ? offered.value.text : '';
    if (line !== 'OK STARTTLS') return this.#other(line, notice);
    this.#hasBegun = true;
    const secured = await connection.encrypt(host, tls, deadline);
    if (!secured.ok) return tlsFailed(secured.failure, secured.failure.message);
    // A server that requires a client certificate closes the connection only now.
    const probe = await connection.ask('VER', { kind: 'line' }, deadline);
    if (!probe.ok && !connection.usable)
      return tlsFailed(
        probe.failure,
        `the server does not answer after the TLS handshake: ${probe.failure.message}`,
      );
    return answerOf(undefined);
  }

  /** The server is silent in plain text too: it hangs, and says nothing about TLS. */
  hangs(): void {
    this.#isSilent = false;
  }

  get #isPlain(): boolean {
    return this.#isSilent || !this.#plainUntil.passed;
  }

  /** ERR: the server does not start TLS. */
  #refused(
    refusal: { readonly ok: false; readonly failure: NutFailure },
    notice: (message: string) => void,
  ): NutAnswer<void> {
    const { detail, message } = refusal.failure;
    if (this.#options.tls.mode === 'opportunistic') {
      this.#plainUntil = new Deadline(tlsRetryMs);
      this.#why = null;
      notice(`the server refuses TLS (${message}): the connection continues in plain text`);
      return answerOf(undefined);
    }
    if (detail === 'ACCESS_DENIED') return refusal;
    const advice =
      'install a certificate on it; with nut.tls = "opportunistic" the daemon would read it in plain text';
    return failureOf('TLS_FAILED', `the server refuses TLS (${message}), which nut.tls requires: ${advice}`);
  }

  /** A line of a server that is no upsd, which does not know the request. */
  #other(line: string, notice: (message: string) => void): NutAnswer<void> {
    const { tls } = this.#options;
    const said = line === '' ? 'an empty line' : JSON.stringify(line.slice(0, 80));
    const what = `the server answered STARTTLS with ${said}, neither OK STARTTLS nor an ERR`;
    const wants = `${what}; the daemon wants ${spokenVersions(tls)}`;
    if (tls.mode === 'required') return failureOf('TLS_FAILED', `${wants}, as nut.tls says`);
    if (checksServer(tls))
      return failureOf('TLS_FAILED', `${wants}, since nut.ca_file or nut.pin_sha256 is set: ${plainAdvice}`);
    this.#plainUntil = new Deadline(tlsRetryMs);
    this.#why = what;
    notice(`${what}: it counts as a server without TLS, and the connection continues in plain text`);
    return answerOf(undefined);
  }

  /** No answer: the server has a problem, or does not know the request. */
  #unanswered(
    { detail, message }: NutFailure,
    receivedNothing: boolean,
    notice: (message: string) => void,
  ): NutAnswer<void> {
    const { tls, sendsPassword } = this.#options;
    const text = `the server did not start TLS (the daemon speaks ${spokenVersions(tls)}): ${message}`;
    if (detail !== 'SERVER_DOWN' && detail !== 'TIMEOUT') return failureOf('TLS_FAILED', text);
    if (tls.mode !== 'opportunistic') return failureOf(detail, text);
    // Nothing secret goes to such a server, and one that has begun TLS before has it.
    if (detail === 'TIMEOUT' && receivedNothing && !checksServer(tls) && !sendsPassword && !this.#hasBegun) {
      this.#isSilent = true;
      this.#why = 'the server does not answer STARTTLS';
      notice(
        `${this.#why}: it is read in plain text until the daemon starts again; nut.tls = "off" does so at once`,
      );
    }
    return failureOf(detail, `${text} (if every poll fails like this: ${plainAdvice})`);
  }
}

const plainAdvice =
  'set nut.tls = "off", with which the daemon reads it in plain text and does not ask for TLS';

/** A timeout stays TIMEOUT; any other error before TLS is TLS_FAILED. */
function tlsFailed(failure: NutFailure, message: string): NutAnswer<never> {
  return failureOf(failure.detail === 'TIMEOUT' ? 'TIMEOUT' : 'TLS_FAILED', message);
}
