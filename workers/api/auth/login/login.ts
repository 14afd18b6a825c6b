// One login from the fields to the token: throttle, queue, password, session. Every outcome is audited. The throttle counts by
// the peer alone: what a proxy forwards can be forged.
import { decode } from '../../../../shared/domain/base/decode.js';
import type { LoginBody } from '../../../../shared/http/auth-bodies.js';
import { LoginRequest } from '../../../../shared/http/auth-bodies.js';
import type { Clock } from '../../../../shared/runtime/clock.js';
import type { AccessControl } from '../access.js';
import { storeUnavailable, unauthorized } from '../access.js';
import type { Audit } from '../audit.js';
import { isUserName } from '../auth-store/name-rules.js';
import type { StoredUser } from '../auth-store/store.js';
import { ApiProblem } from '../../http/problem.js';
import type { Request, RequestHead } from '../../http/route.js';
import { Hashing } from './hashing.js';
import { Throttle } from './throttle.js';

/** The queue of sixteen takes less than two seconds. */
const queueSeconds = 2;

export class Login {
  readonly #access: AccessControl;
  readonly #audit: Audit;
  readonly #throttle: Throttle;
  readonly #hashing = new Hashing();

  constructor(access: AccessControl, audit: Audit, clock: Clock) {
    this.#access = access;
    this.#audit = audit;
    this.#throttle = new Throttle(clock);
  }

  /** Throws 403 while authentication is off and 429 while the peer must wait. */
  async precheck(head: RequestHead): Promise<void> {
    if ((await this.#access.state()) === 'off') {
      this.#audit.refused({
        type: 'LOGIN_FAILURE',
        principal: 'anonymous',
        peer: head.from,
        target: 'login',
        result: 'denied, authentication is off',
      });
      throw new ApiProblem(
        'FORBIDDEN',
        'Authentication is off, so a login is not possible. Create a user with: ridethrough user create NAME',
      );
    }
    this.#checkThrottle(head);
  }

  /** Throws 400, 429, 401 or 503. */
  async login(request: Request): Promise<LoginBody> {
    const fields = decode(LoginRequest, request.body);
    if (!fields.ok)
      throw new ApiProblem(
        'INVALID_REQUEST',
        'A login is a JSON object with "username" and "password", text of at most 256 and 1024 characters.',
      );
    // Checked again together with the count: other attempts may have arrived while this body was read.
    this.#checkThrottle(request);
    if (this.#hashing.full) {
      this.#tooManyAttempts(request, 'too many logins are waiting');
      throw tooMany(queueSeconds, 'Too many logins are waiting.');
    }
    return this.#decide(fields.value, request);
  }

  async #decide({ username, password }: LoginRequest, { peer, from }: RequestHead): Promise<LoginBody> {
    const attempt = this.#throttle.begin(peer);
    let user: StoredUser | null | undefined;
    let right: boolean;
    try {
      right = await this.#hashing.isPassword(password, async () => {
        user = await this.#access.user(username);
        if (user === undefined) throw storeUnavailable();
        return user?.hash ?? null;
      });
    } catch (error) {
      attempt.withdrawn();
      const result = 'failed: the password could not be checked';
      this.#audit.refused({
        type: 'LOGIN_FAILURE',
        principal: 'anonymous',
        peer: from,
        target: 'login',
        result,
      });
      throw error;
    }
    // Does not repeat an invalid name: it may be a password in the wrong field.
    const target = isUserName(username) ? `login as "${username}"` : 'login';
    if (!right || user === null || user === undefined) {
      attempt.failed();
      this.#audit.record({
        type: 'LOGIN_FAILURE',
        principal: 'anonymous',
        peer: from,
        target,
        result: 'denied',
      });
      throw unauthorized('The username or the password is wrong.');
    }
    attempt.withdrawn();
    const principal = `user:${user.name}` as const;
    this.#audit.record({ type: 'LOGIN_SUCCESS', principal, peer: from, target: 'login', result: 'ok' });
    const { token, expiresIn } = this.#access.open(user);
    return { token, tokenType: 'bearer', expiresIn };
  }

  #checkThrottle(head: RequestHead): void {
    const wait = this.#throttle.waitSeconds(head.peer);
    if (wait === null) return;
    this.#tooManyAttempts(head, 'too many failed logins');
    throw tooMany(wait, 'Too many logins have failed.');
  }

  #tooManyAttempts({ from }: RequestHead, why: string): void {
    const result = `denied, ${why}`;
    this.#audit.refused({
      type: 'LOGIN_THROTTLED',
      principal: 'anonymous',
      peer: from,
      target: 'login',
      result,
    });
  }

  async prepare(): Promise<void> {
    await this.#hashing.prepare();
  }

  close(): Promise<void> {
    return this.#hashing.close();
  }
}

function tooMany(seconds: number, what: string): ApiProblem {
  const message = `${what} Try again in ${String(seconds)} s; the password was not checked.`;
  return new ApiProblem('TOO_MANY_ATTEMPTS', message, { headers: { 'Retry-After': String(seconds) } });
}
