// Authorization (specification/api.md#access): whether authentication is on, whose credential a request carries, and whether it
// is enough for the route. Checks every request; keeps only the live sessions.
import type { AuthSettings } from '../../../shared/protocol/api.js';
import type { Clock } from '../../../shared/runtime/clock.js';
import type { Logger } from '../../../shared/runtime/log.js';
import type { AuthStore, StoredUser } from './auth-store/store.js';
import { StoreUnavailable } from './auth-store/connection.js';
import { credentialsOf } from './credential.js';
import { Problem } from '../http/problem.js';
import type { Principal, RequestHead, Route } from '../http/route.js';
import type { Sessions } from './sessions.js';

export type Grant = Pick<RequestHead, 'principal' | 'session' | 'restricted'>;

/** `unreadable`: the file exists and cannot be read. This counts as on (fail closed). */
export type AuthState = 'off' | 'on' | 'unreadable';

/** Interval of the log line while the database is unreadable. */
const warnIntervalMs = 60_000;

const anonymousGrant: Grant = { principal: 'anonymous', session: null, restricted: false };
/** The control socket: access to it is the credential. */
export const localGrant: Grant = { principal: 'local', session: null, restricted: false };

interface Identity {
  readonly principal: Principal;
  readonly session: string | null;
  /** False for a session whose user could not be looked up: it may only read. */
  readonly confirmed: boolean;
}

export interface AccessDependencies {
  readonly settings: () => AuthSettings;
  readonly store: () => AuthStore;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly log: Logger;
}

export class Access {
  readonly #deps: AccessDependencies;
  #warnedMs = -Infinity;

  constructor(parts: AccessDependencies) {
    this.#deps = parts;
  }

  /** An explicit setting wins. Without one, authentication is on while a user exists. */
  async state(): Promise<AuthState> {
    const { enabled } = this.#deps.settings();
    if (enabled !== null) return enabled ? 'on' : 'off';
    const users = await this.#checked((store) => store.hasUsers());
    if (users === undefined) return 'unreadable';
    return users ? 'on' : 'off';
  }

  /** For GET /api/v1/auth/state and the configuration summary. */
  async shown(): Promise<{ enabled: boolean; requireForReads: boolean }> {
    const enabled = (await this.state()) !== 'off';
    return { enabled, requireForReads: enabled && this.#deps.settings().requireForReads };
  }

  /** Null when the user does not exist, undefined when the database cannot be read. */
  user(name: string): Promise<StoredUser | null | undefined> {
    return this.#checked((store) => store.user(name));
  }

  /** Opens a session for a user after the password check. */
  open({ name, stamp }: StoredUser): { token: string; expiresIn: number } {
    const { sessions, settings } = this.#deps;
    const expiresIn = settings().sessionTtlSeconds;
    return { token: sessions.open({ user: name, stamp }, expiresIn), expiresIn };
  }

  end(session: string): void {
    this.#deps.sessions.end(session);
  }

  /** Throws the Problem of a refusal: 401, 403, 503. */
  async authorize(
    route: Pick<Route, 'auth' | 'identifies' | 'withoutStore'>,
    rawHeaders: readonly string[],
  ): Promise<Grant> {
    if (route.auth === 'open' && route.identifies === undefined) return anonymousGrant;
    const credentials = credentialsOf(rawHeaders);
    const readsRequireAuth = this.#deps.settings().requireForReads;
    // An open request needs no look-up on disk.
    if (route.auth !== 'write' && !readsRequireAuth && credentials.length === 0) return anonymousGrant;
    if ((await this.state()) === 'off') {
      if (route.auth !== 'write') return anonymousGrant;
      throw new Problem('FORBIDDEN', offAdvice);
    }
    const identity = await this.#identify(credentials);
    if (route.auth === 'open') return identity ?? { ...anonymousGrant, restricted: readsRequireAuth };
    if (route.auth === 'read') {
      if (identity === null && readsRequireAuth) throw unauthorized(readAdvice);
      return { ...(identity ?? anonymousGrant), restricted: false };
    }
    if (identity === null) throw unauthorized(writeAdvice);
    if (!identity.confirmed && route.withoutStore === undefined) throw storeUnavailable(identity.principal);
    return identity;
  }

  async #identify(credentials: readonly string[]): Promise<(Identity & Grant) | null> {
    for (const credential of credentials) {
      const identity = (await this.#bySession(credential)) ?? (await this.#byKey(credential));
      if (identity !== null) return { ...identity, restricted: false };
    }
    return null;
  }

  /** Ends the session of a deleted user or of an old password (specification/security.md#sessions). */
  async #bySession(token: string): Promise<Identity | null> {
    const { sessions } = this.#deps;
    const session = sessions.find(token);
    if (session === null) return null;
    const user = await this.user(session.user);
    if (user !== undefined && user?.stamp !== session.stamp) {
      sessions.end(token);
      return null;
    }
    return { principal: `user:${session.user}`, session: token, confirmed: user !== undefined };
  }

  async #byKey(key: string): Promise<Identity | null> {
    const label = await this.#checked((store) => store.apiKey(key));
    if (label === undefined || label === null) return null;
    return { principal: `apikey:${label}`, session: null, confirmed: true };
  }

  /** Undefined when the database cannot be read. */
  async #checked<T>(question: (store: AuthStore) => Promise<T>): Promise<T | undefined> {
    try {
      return await question(this.#deps.store());
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      this.#warn(error.message);
      return undefined;
    }
  }

  #warn(reason: string): void {
    const nowMs = this.#deps.clock.monotonicMs();
    if (nowMs - this.#warnedMs < warnIntervalMs) return;
    this.#warnedMs = nowMs;
    this.#deps.log.error(
      `the authentication database: ${reason}. Until it can be read, the API refuses logins, API keys and every change.`,
    );
  }
}

const readAdvice =
  'This daemon answers only with a valid credential (api.auth.require_for_reads). Send a session token or an API key as "Authorization: Bearer ..." or "X-API-Key: ...".';
const writeAdvice =
  'This needs a valid credential. Send a session token or an API key as "Authorization: Bearer ..." or "X-API-Key: ...".';
const offAdvice =
  'Authentication is off, and without it the API is read-only. Create a user with: ridethrough user create NAME';

export function unauthorized(message: string): Problem {
  return new Problem('UNAUTHORIZED', message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

export function storeUnavailable(principal?: Principal): Problem {
  return new Problem(
    'AUTH_UNAVAILABLE',
    'The authentication database cannot be read, so the API accepts no credential. Monitoring and shutdown are not affected. See the log for the cause.',
    principal === undefined ? {} : { principal },
  );
}
