// The connection to one server over time: opened on demand, kept, and reopened after an error. Requests run one at a time; none
// waits beyond its deadline, whatever the earlier one does.
import { backoffMs } from '../../../shared/domain/base/backoff.js';
import { Deadline, pause, withinDeadline } from '../wire/deadline.js';
import type { Expected } from '../wire/answer.js';
import type { ServerAddress } from '../wire/address.js';
import type { RawAnswer, NutAsk } from '../wire/connection.js';
import { NutConnection } from '../wire/connection.js';
import type { NutAnswer } from '../wire/errors.js';
import { answerOf, failureOf } from '../wire/errors.js';
import type { LogIn } from '../wire/login.js';
import { asksForLogin, refusedRead } from '../wire/login.js';
import { Starttls } from '../wire/starttls.js';
import type { TlsSettings } from '../wire/tls.js';

/** upsd drops a client that is silent for 60 s; half of it allows for a lost packet. */
const idleMs = 30_000;
/** Without an answer to the probe by then the connection is dead: the next poll opens a new one. */
const probeMs = 5_000;
/** An unreachable server is tried about once a second; polls are rarely due sooner. */
const maxBackoffMs = 1_000;
const firstBackoffMs = 100;
const notSent =
  'the server wants a login for reads. The password of nut_control is not sent, since the identity of this server is not ' +
  'verified; set nut.username and nut.password, or nut.tls = "required" with nut.ca_file or nut.pin_sha256';

const notInPlainText =
  'the password of nut_control is not sent to it in plain text; correct the server, or set nut.tls = "off" for it';

export interface NutSessionOptions {
  readonly address: ServerAddress;
  readonly host: string;
  readonly port: number;
  readonly tls: TlsSettings;
  /** The first requests on every new connection (login). */
  readonly logIn: LogIn | null;
  /** The login is that of nut_control: not in plain text to a server that has not said that it has no TLS. */
  readonly keepsPassword?: boolean;
  /** Where a list is refused without a login, and only to a server whose identity is known. */
  readonly logInIfRefused: LogIn | null;
  /** For tests only. */
  readonly idleMs?: number;
}

/** On whose behalf the session works; several take turns on a shared one. */
export interface SessionUser {
  /** Logs a change, once. */
  readonly notice: (message: string) => void;
  /** Called before data of the server are read. */
  readonly activate: () => void;
}

export class NutSession {
  readonly #options: NutSessionOptions;
  readonly #starttls: Starttls;
  #connection: NutConnection | undefined;
  /** The connection on which `logInIfRefused` was tried: a server takes a user name only once. */
  #loggedIn: NutConnection | undefined;
  #hasNoticedLogin = false;
  #user: SessionUser = { notice: () => undefined, activate: () => undefined };
  #closed = false;
  /** Settles when the work under way has ended; undefined while there is none. */
  #turn: Promise<void> | undefined;
  #failures = 0;
  #notBefore = new Deadline(0);
  #idle: NodeJS.Timeout | undefined;

  constructor(options: NutSessionOptions) {
    this.#options = options;
    const { tls, host, logIn } = options;
    this.#starttls = new Starttls({ tls, host, sendsPassword: logIn !== null });
  }

  /**
   * Runs `work` after earlier work has ended. `work` gets the only function for requests; its first request opens the
   * connection. When the server had closed the old connection, a list is requested once more on a new one.
   */
  async inTurn<T>(
    deadline: Deadline,
    work: (ask: NutAsk) => Promise<NutAnswer<T>>,
    user: SessionUser,
  ): Promise<NutAnswer<T>> {
    const before = this.#turn;
    let settle = (): void => undefined;
    const turn = new Promise<void>((resolve) => (settle = resolve));
    this.#turn = turn;
    const end = (): void => {
      if (this.#turn === turn) this.#turn = undefined;
      settle();
    };
    try {
      const late = before === undefined ? undefined : await lateness(deadline, before);
      if (late !== undefined) {
        // Earlier work still runs: the next request waits for that work.
        void before?.then(end);
        return late;
      }
      this.#user = user;
      const answer = await work((...request) => this.#ask(...request));
      end();
      this.#stayAwake();
      return answer;
    } catch (bug) {
      end();
      throw bug;
    }
  }

  /** Work is under way. */
  get isBusy(): boolean {
    return this.#turn !== undefined;
  }

  /** Closes the connection; the next request opens a new one. */
  disconnect(): void {
    this.#sleep();
    this.#connection?.destroy();
    this.#connection = undefined;
  }

  /** Closes the connection permanently; a request in flight and every later one fail. */
  close(): void {
    this.#closed = true;
    this.disconnect();
  }

  async #ask(
    line: string,
    expected: Expected,
    deadline: Deadline,
    onSent?: () => void,
    isFirst = true,
  ): Promise<NutAnswer<RawAnswer>> {
    const existing = this.#connection;
    if (existing?.usable === true) {
      const answer = await this.#askOn(existing, line, expected, deadline, onSent);
      if (!isLost(answer, expected) || !existing.receivedNothing || this.#closed) return answer;
    }
    const opened = await this.#open(deadline);
    if (!opened.ok) return opened;
    const answer = await this.#askOn(opened.value, line, expected, deadline, onSent);
    if (opened.value.usable) {
      this.#failures = 0;
      return answer;
    }
    // Some servers end the connection after each answer: this one with that to STARTTLS.
    const isRefusal = isLost(answer, expected) && opened.value.receivedNothing && opened.value.hasAnswered;
    if (isRefusal && isFirst && !this.#closed) return this.#ask(line, expected, deadline, onSent, false);
    if (!answer.ok && answer.failure.detail === 'TIMEOUT') this.#starttls.hangs();
    this.#backOff();
    return answer;
  }

  /** A list that is refused without a login is asked for once more with one, on the same connection. */
  async #askOn(
    connection: NutConnection,
    line: string,
    expected: Expected,
    deadline: Deadline,
    onSent?: () => void,
  ): Promise<NutAnswer<RawAnswer>> {
    const answer = await connection.ask(line, expected, deadline, onSent);
    if (answer.ok || expected.kind !== 'list' || !asksForLogin(answer.failure)) return answer;
    const { logInIfRefused, logIn } = this.#options;
    if (logIn !== null || this.#loggedIn === connection)
      return refusedRead(answer.failure, 'the server refuses reads with this user name and password');
    if (logInIfRefused === null)
      return refusedRead(
        answer.failure,
        'if the server wants a login for reads, set nut.username and nut.password; a Synology wants the address of this machine among its permitted devices',
      );
    if (!connection.isTrusted || this.#starttls.doubtfulPlainText !== null)
      return refusedRead(answer.failure, notSent);
    this.#loggedIn = connection;
    if (!this.#hasNoticedLogin)
      this.#user.notice(
        'the server refuses reads without a login: the daemon logs in as the user of nut_control',
      );
    this.#hasNoticedLogin = true;
    const ask: NutAsk = (text, wanted, within) => connection.ask(text, wanted, within);
    const loggedIn = await logInIfRefused(ask, deadline);
    return loggedIn.ok ? this.#askOn(connection, line, expected, deadline) : loggedIn;
  }

  async #open(deadline: Deadline): Promise<NutAnswer<NutConnection>> {
    const { address, host, port } = this.#options;
    if (!this.#notBefore.passed) await pause(this.#notBefore.remainingMs, deadline);
    const addresses = await address.find(deadline);
    if (this.#closed) return failureOf('SERVER_DOWN', 'the daemon closed the connection');
    if (!addresses.ok) return this.#giveUp(addresses);
    const connection = new NutConnection(() => this.#user.activate());
    this.#connection = connection;
    const opened = await connection.open(host, port, addresses.value, deadline);
    if (!opened.ok) return this.#giveUp(opened, connection);
    const { notice } = this.#user;
    const secured = await this.#starttls.secure(connection, deadline, notice);
    if (!secured.ok) return this.#giveUp(secured, connection);
    const doubt = this.#options.keepsPassword === true ? this.#starttls.doubtfulPlainText : null;
    if (doubt !== null)
      return this.#giveUp(failureOf('TLS_FAILED', `${doubt}: ${notInPlainText}`), connection);
    const ask: NutAsk = (line, expected, within) => connection.ask(line, expected, within);
    const loggedIn = (await this.#options.logIn?.(ask, deadline)) ?? answerOf(undefined);
    return loggedIn.ok ? answerOf(connection) : this.#giveUp(loggedIn, connection);
  }

  #giveUp<F extends NutAnswer<never>>(failure: F, connection?: NutConnection): F {
    connection?.destroy();
    this.#connection = undefined;
    this.#backOff();
    return failure;
  }

  #backOff(): void {
    this.#failures += 1;
    this.#notBefore = new Deadline(backoffMs(this.#failures, firstBackoffMs, maxBackoffMs));
  }

  #stayAwake(): void {
    if (this.#connection?.usable !== true) this.#sleep();
    else if (this.#idle !== undefined) this.#idle.refresh();
    else {
      this.#idle = setTimeout(() => {
        const deadline = new Deadline(probeMs);
        void this.inTurn(deadline, (ask) => ask('VER', { kind: 'line' }, deadline), this.#user);
      }, this.#options.idleMs ?? idleMs);
      this.#idle.unref();
    }
  }

  #sleep(): void {
    clearTimeout(this.#idle);
    this.#idle = undefined;
  }
}

/** Only lists are repeated: a command may have been run although no answer came. */
function isLost(answer: NutAnswer<RawAnswer>, expected: Expected): boolean {
  return expected.kind === 'list' && !answer.ok && answer.failure.detail === 'SERVER_DOWN';
}

/** A failure when the earlier work does not end before the deadline. */
function lateness(deadline: Deadline, before: Promise<void>): Promise<NutAnswer<never> | undefined> {
  return withinDeadline<NutAnswer<never> | undefined>(
    deadline,
    before.then(() => undefined),
    () => failureOf('TIMEOUT', 'an earlier request to the server has not ended yet'),
  );
}
