// The login (LOGIN) of this host at the server of a UPS: a primary waits with the power until nobody is logged in (RFC 9271,
// 4.2.6). It has a connection of its own, is taken up again after an error, and ends when the supervisor says so.
import type { PollerSettings } from '../../../shared/protocol/poller.js';
import { ServerAddress } from '../wire/address.js';
import type { NutAsk } from '../wire/connection.js';
import { Deadline } from '../wire/deadline.js';
import type { NutAnswer } from '../wire/errors.js';
import { answerOf, cannotEncode, isNotOffered } from '../wire/errors.js';
import type { LogIn } from '../wire/login.js';
import { loginOf } from '../wire/login.js';
import { NutSession } from './session.js';
import { requestLine } from '../wire/wire.js';

export type LoginRole = NonNullable<PollerSettings['role']>;

/** A lost login is seen within this; upsd drops a silent client after 60 s. */
const lookMs = 5_000;
const requestMs = 4_000;
/** LOGOUT is a courtesy: the server sees the end of the connection as well. */
const logoutMs = 500;

export interface HeldLoginOptions extends Pick<PollerSettings, 'ups' | 'host' | 'port' | 'tls'> {
  readonly role: LoginRole;
  /** Logs a change, once. */
  readonly changed: (isHeld: boolean, why: string) => void;
}

export class HeldLogin {
  readonly #options: HeldLoginOptions;
  readonly #session: NutSession;
  #isHeld: boolean | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ended = false;

  constructor(options: HeldLoginOptions) {
    this.#options = options;
    const { host, port, tls, role, ups } = options;
    this.#session = new NutSession({
      address: new ServerAddress(host),
      host,
      port,
      tls,
      logIn: roleLogin(role, ups),
      logInIfRefused: null,
    });
    void this.#look();
  }

  get isHeld(): boolean {
    return this.#isHeld === true;
  }

  /** Logs out and closes; settles within half a second. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    if (this.#isHeld === true) {
      const deadline = new Deadline(logoutMs);
      await this.#session.inTurn(deadline, (ask) => ask('LOGOUT', { kind: 'line' }, deadline), noUser);
    }
    this.#session.close();
  }

  /** Opens the connection, with its login, where there is none. */
  async #look(): Promise<void> {
    const deadline = new Deadline(requestMs);
    // Not GET NUMLOGINS, which a server refuses while the data are stale: the login lasts as long as its connection.
    const answer = await this.#session.inTurn(
      deadline,
      (ask) => ask('VER', { kind: 'line' }, deadline),
      noUser,
    );
    if (this.#ended) return;
    const isHeld = answer.ok;
    if (isHeld !== this.#isHeld) this.#options.changed(isHeld, answer.ok ? '' : answer.failure.message);
    this.#isHeld = isHeld;
    // A server that refuses the login is asked with another connection.
    if (!answer.ok) this.#session.disconnect();
    this.#timer = setTimeout(() => void this.#look(), lookMs);
  }
}

const noUser = { notice: () => undefined, activate: () => undefined };

/** Logs in, and as a primary asks whether this user may be one: the refusal should be known before the outage. */
function roleLogin(role: LoginRole, ups: string): LogIn {
  const logIn = loginOf(role);
  return async (ask, deadline) => {
    const named = await logIn(ask, deadline);
    if (!named.ok) return named;
    const line = requestLine('LOGIN', ups);
    if (line === undefined) return cannotEncode();
    const loggedIn = await ask(line, { kind: 'line' }, deadline);
    if (!loggedIn.ok || role.kind === 'secondary') return loggedIn.ok ? answerOf(undefined) : loggedIn;
    const primary = await mayBePrimary(ask, ups, deadline);
    return primary.ok ? answerOf(undefined) : primary;
  };
}

/** MASTER is the name before NUT 2.8. */
async function mayBePrimary(ask: NutAsk, ups: string, deadline: Deadline): Promise<NutAnswer<unknown>> {
  const request = (verb: string) => ask(requestLine(verb, ups) ?? '', { kind: 'line' }, deadline);
  const primary = await request('PRIMARY');
  return primary.ok || !isNotOffered(primary.failure) ? primary : request('MASTER');
}
