// The connection to one server over time: opened when a request needs it, kept, and opened anew after it broke.
// Requests go one after the other; none waits beyond its deadline, whatever the one before it does.
import { Deadline, pause, withinDeadline } from './deadline.js';
import type { Expected } from './answer.js';
import type { ServerAddress } from './address.js';
import type { Said } from './connection.js';
import { NutConnection } from './connection.js';
import type { NutAnswer, NutFailure } from './errors.js';
import { answered, failed } from './errors.js';
import type { TlsSettings } from './tls.js';

/** upsd drops a client that was silent for 60 s; half of it leaves room for a lost packet. */
const idleMs = 30_000;
/** A probe that has no answer by then means a dead connection: the next poll opens a new one. */
const probeMs = 5_000;
/** A server that cannot be reached is dialled at most once a second; polls are rarely due sooner. */
const longestBackoffMs = 1_000;
const firstBackoffMs = 100;
/** Somebody may have given the server a certificate since it said that it has none. */
const askForTlsAgainMs = 3_600_000;

export interface SessionOptions {
  readonly address: ServerAddress;
  readonly host: string;
  readonly port: number;
  readonly tls: TlsSettings;
  /** Said once per change, for the log. */
  readonly notice: (message: string) => void;
  /** To be said on every new connection before anything else (login). */
  readonly greet?: (ask: Ask, deadline: Deadline) => Promise<NutAnswer<void>>;
  /** For tests alone. */
  readonly idleMs?: number;
}

export type Ask = (line: string, expected: Expected, deadline: Deadline) => Promise<NutAnswer<Said>>;

export class NutSession {
  readonly #options: SessionOptions;
  #connection: NutConnection | undefined;
  #closed = false;
  #turn: Promise<unknown> = Promise.resolve();
  #failures = 0;
  #notBefore = new Deadline(0);
  #plainUntil = new Deadline(0);
  #idle: NodeJS.Timeout | undefined;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  /**
   * Runs `work` when those before it have ended. `work` gets the one way to ask; its first request opens the connection,
   * and a list is asked for once more on a new one when the server had closed the old one.
   */
  async inTurn<T>(deadline: Deadline, work: (ask: Ask) => Promise<NutAnswer<T>>): Promise<NutAnswer<T>> {
    const before = this.#turn;
    let done = (): void => undefined;
    this.#turn = new Promise<void>((resolve) => (done = resolve));
    try {
      const late = (): NutAnswer<T> =>
        failed('TIMEOUT', 'an earlier request to the server has not ended yet');
      const free = await withinDeadline<unknown>(
        deadline,
        before.then(() => undefined),
        late,
      );
      if (free !== undefined) {
        // The one before us still runs: whoever comes next waits for it, not for us.
        void before.then(done);
        return late();
      }
      clearTimeout(this.#idle);
      const answer = await work((line, expected, within) => this.#ask(line, expected, within));
      done();
      this.#stayAwake();
      return answer;
    } catch (bug) {
      done();
      throw bug;
    }
  }

  /** Ends the connection; it opens again with the next request. */
  disconnect(): void {
    clearTimeout(this.#idle);
    this.#connection?.destroy();
    this.#connection = undefined;
  }

  /** Ends the connection for good; a request in flight fails, and so does every later one. */
  close(): void {
    this.#closed = true;
    this.disconnect();
  }

  async #ask(line: string, expected: Expected, deadline: Deadline): Promise<NutAnswer<Said>> {
    const kept = this.#connection;
    if (kept?.usable === true) {
      const answer = await kept.ask(line, expected, deadline);
      // Lists alone are asked again: a command may have been carried out although nobody answered.
      const again = expected.kind === 'list' && !answer.ok && answer.failure.detail === 'SERVER_DOWN';
      if (!again || !kept.heardNothing || this.#closed) return answer;
    }
    const opened = await this.#open(deadline);
    if (!opened.ok) return opened;
    const answer = await opened.value.ask(line, expected, deadline);
    if (opened.value.usable) this.#failures = 0;
    else this.#backOff();
    return answer;
  }

  async #open(deadline: Deadline): Promise<NutAnswer<NutConnection>> {
    const { address, host, port } = this.#options;
    if (!this.#notBefore.passed) await pause(this.#notBefore.remainingMs, deadline);
    const addresses = await address.find(deadline);
    if (this.#closed) return failed('SERVER_DOWN', 'we closed the connection');
    if (!addresses.ok) return this.#giveUp(addresses);
    const connection = new NutConnection();
    this.#connection = connection;
    const opened = await connection.open(host, port, addresses.value, deadline);
    if (!opened.ok) return this.#giveUp(opened, connection);
    const secured = await this.#secure(connection, deadline);
    if (!secured.ok) return this.#giveUp(secured, connection);
    const ask: Ask = (line, expected, within) => connection.ask(line, expected, within);
    const greeted = (await this.#options.greet?.(ask, deadline)) ?? answered(undefined);
    return greeted.ok ? answered(connection) : this.#giveUp(greeted, connection);
  }

  #giveUp<F extends NutAnswer<never>>(failure: F, connection?: NutConnection): F {
    connection?.destroy();
    this.#connection = undefined;
    this.#backOff();
    return failure;
  }

  #backOff(): void {
    this.#notBefore = new Deadline(Math.min(longestBackoffMs, firstBackoffMs * 2 ** this.#failures));
    this.#failures = Math.min(this.#failures + 1, 10);
  }

  async #secure(connection: NutConnection, deadline: Deadline): Promise<NutAnswer<void>> {
    const { tls, host } = this.#options;
    if (tls.mode === 'off' || !this.#plainUntil.passed) return answered(undefined);
    const offered = await connection.ask('STARTTLS', { kind: 'line' }, deadline);
    // An ERR alone leaves a connection usable. It is an answer, whatever its code; silence and a hang-up are none (decision 21).
    if (!offered.ok) return connection.usable ? this.#refused(offered) : unanswered(offered.failure, tls);
    if (offered.value.kind !== 'line' || offered.value.text !== 'OK STARTTLS')
      return failed('TLS_FAILED', 'the server did not begin TLS: it neither agreed nor refused');
    const secured = await connection.encrypt(host, tls, deadline);
    if (!secured.ok) return tlsFailed(secured.failure, secured.failure.message);
    // A server that wanted a certificate of ours, or ours in another form, says so only now, by hanging up.
    const probe = await connection.ask('VER', { kind: 'line' }, deadline);
    if (!probe.ok && !connection.usable)
      return tlsFailed(
        probe.failure,
        `the server does not talk after the TLS handshake: ${probe.failure.message}`,
      );
    return answered(undefined);
  }

  /** The server begins no TLS. */
  #refused(refusal: { readonly ok: false; readonly failure: NutFailure }): NutAnswer<void> {
    const { tls, notice } = this.#options;
    const { detail, message } = refusal.failure;
    if (tls.mode === 'opportunistic') {
      this.#plainUntil = new Deadline(askForTlsAgainMs);
      notice(`the server refuses TLS (${message}): the connection goes on in plain text`);
      return answered(undefined);
    }
    if (detail === 'ACCESS_DENIED') return refusal;
    const advice = 'give it a certificate; with nut.tls = "opportunistic" it would be read in plain text';
    return failed('TLS_FAILED', `the server refuses TLS (${message}), which nut.tls requires: ${advice}`);
  }

  #stayAwake(): void {
    clearTimeout(this.#idle);
    if (this.#connection?.usable !== true) return;
    this.#idle = setTimeout(() => {
      const deadline = new Deadline(probeMs);
      void this.inTurn(deadline, (ask) => ask('VER', { kind: 'line' }, deadline));
    }, this.#options.idleMs ?? idleMs);
    this.#idle.unref();
  }
}

/** Asked for TLS, and no answer: a server in trouble, or one that does not bear the question. */
function unanswered({ detail, message }: NutFailure, tls: TlsSettings): NutAnswer<never> {
  const text = `the server did not begin TLS: ${message}`;
  if (detail !== 'SERVER_DOWN' && detail !== 'TIMEOUT') return failed('TLS_FAILED', text);
  const advice = ' (if every poll ends so, set nut.tls = "off": then the server is not asked for TLS)';
  return failed(detail, tls.mode === 'opportunistic' ? text + advice : text);
}

/** Being late stays being late; whatever else goes wrong on the way to TLS is a failure of TLS. */
function tlsFailed(failure: NutFailure, message: string): NutAnswer<never> {
  return failed(failure.detail === 'TIMEOUT' ? 'TIMEOUT' : 'TLS_FAILED', message);
}
