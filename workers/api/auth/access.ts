// Authorization (specification/api.md#access): whether authentication is on, whose credential a request carries, and whether it
// is enough for the route. Checks every request; keeps only the live sessions.
import type { AuthSettings } from '../../../shared/protocol/api.js';
import type { Role } from '../../../shared/domain/status/role.js';
import { suffices } from '../../../shared/domain/status/role.js';
import type { Clock } from '../../../shared/runtime/clock.js';
import type { Logger } from '../../../shared/runtime/log.js';
import type { AuthStore, StoredUser } from './auth-store/store.js';
import { StoreUnavailable } from './auth-store/connection.js';
import { credentialsOf } from './credential.js';
import { ApiProblem } from '../http/problem.js';
import type { Principal, RequestHead, Route } from '../http/route.js';
import { roleFor } from '../http/route.js';
import type { Sessions } from './sessions.js';

export type Grant = Pick<RequestHead, 'principal' | 'role' | 'session' | 'restricted'>;

/** `unreadable`: the file exists and cannot be read. This counts as on (fail closed). */
export type AuthState = 'off' | 'on' | 'unreadable';

/** Interval of the log line while the database is unreadable. */
const warnIntervalMs = 60_000;

const anonymousGrant: Grant = { principal: 'anonymous', role: null, session: null, restricted: false };
/** The control socket: access to it is the credential. */
export const localGrant: Grant = { principal: 'local', role: 'control', session: null, restricted: false };

interface Identity {
  readonly principal: Principal;
  readonly role: Role;
  readonly session: string | null;
  /** False for a session whose user could not be looked up: it may only read. */
  readonly confirmed: boolean;
}

/** A key that was valid and has expired: it counts as none, and a refusal says so. */
interface Expired {
  readonly expiredKey: string;
}

export interface AccessDependencies {
  readonly settings: () => AuthSettings;
  readonly store: () => AuthStore;
  readonly sessions: Sessions;
  readonly clock: Clock;
  readonly log: Logger;
}

export class AccessControl {
  readonly #deps: AccessDependencies;
  #warnedMs = -Infinity;
  /** Reads that the configuration closes are open. */
  #isOpen = false;

  constructor(deps: AccessDependencies) {
    this.#deps = deps;
  }

  /** An explicit setting wins. Without one, authentication is on while a user exists. */
  async state(): Promise<AuthState> {
    const { enabled, requireForReads, dbPath } = this.#deps.settings();
    if (enabled !== null) return enabled ? 'on' : 'off';
    const users = await this.#checked((store) => store.hasUsers());
    if (users === undefined) return 'unreadable';
    this.#sayWhetherOpen(!users && requireForReads, dbPath);
    return users ? 'on' : 'off';
  }

  /** A database that is lost, as with a disk that is not mounted, opens the reads that were closed. */
  #sayWhetherOpen(isOpen: boolean, dbPath: string): void {
    if (isOpen && !this.#isOpen)
      this.#deps.log.error(
        `api.auth.require_for_reads has no effect, and everybody who reaches the API may read it: ${dbPath} does not exist or has no user. Create one (ridethrough user create NAME), or set api.auth.enabled = true, which holds without a user too.`,
      );
    this.#isOpen = isOpen;
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
  open({ name, stamp, role }: StoredUser): { token: string; expiresIn: number } {
    const { sessions, settings } = this.#deps;
    const expiresIn = settings().sessionTtlSeconds;
    return { token: sessions.open({ user: name, stamp, role }, expiresIn), expiresIn };
  }

  end(session: string): void {
    this.#deps.sessions.end(session);
  }

  /** Throws the Problem of a refusal: 401, 403, 503. */
  async authorize(
    route: Pick<Route, 'auth' | 'role' | 'identifies' | 'withoutStore'>,
    rawHeaders: readonly string[],
  ): Promise<Grant> {
    if (route.auth === 'open' && route.identifies === undefined) return anonymousGrant;
    const credentials = credentialsOf(rawHeaders);
    const readsRequireAuth = this.#deps.settings().requireForReads;
    // An open request needs no look-up on disk.
    if (route.auth !== 'write' && !readsRequireAuth && credentials.length === 0) return anonymousGrant;
    if ((await this.state()) === 'off') return grantWhileOff(route);
    const { identity, expiredKey } = await this.#identify(credentials);
    // Between the two questions the last user may have been deleted.
    if (identity === null && (await this.state()) === 'off') return grantWhileOff(route);
    if (route.auth === 'open') {
      const restricted = readsRequireAuth && (identity === null || !suffices(identity.role, 'read'));
      return { ...(identity ?? anonymousGrant), restricted };
    }
    const needed = roleFor(route) ?? 'control';
    if (
      identity !== null &&
      route.auth === 'write' &&
      !identity.confirmed &&
      route.withoutStore === undefined
    )
      throw storeUnavailable(identity.principal);
    if (identity !== null && suffices(identity.role, needed)) return { ...identity, restricted: false };
    // What an anonymous caller gets, a caller of a small role gets too, and not more.
    if (route.auth === 'read' && !readsRequireAuth) return anonymousGrant;
    if (identity !== null) throw roleTooSmall(identity, needed);
    if (expiredKey !== null) throw unauthorized(`The API key ${expiredKey} has expired. ${expiredAdvice}`);
    throw unauthorized(route.auth === 'read' ? readAdvice : writeAdvice);
  }

  async #identify(
    credentials: readonly string[],
  ): Promise<{ readonly identity: Identity | null; readonly expiredKey: string | null }> {
    let expiredKey: string | null = null;
    for (const credential of credentials) {
      const found = (await this.#bySession(credential)) ?? (await this.#byKey(credential));
      if (found !== null && !('expiredKey' in found)) return { identity: found, expiredKey: null };
      expiredKey ??= found?.expiredKey ?? null;
    }
    return { identity: null, expiredKey };
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
    const role = user?.role ?? session.role;
    return { principal: `user:${session.user}`, role, session: token, confirmed: user !== undefined };
  }

  async #byKey(key: string): Promise<Identity | Expired | null> {
    const nowSeconds = this.#deps.clock.wallSeconds();
    const found = await this.#checked((store) => store.apiKey(key, nowSeconds));
    if (found === undefined || found === null) return null;
    const { label, role, expired } = found;
    if (expired) return { expiredKey: label };
    return { principal: `apikey:${label}`, role, session: null, confirmed: true };
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
const expiredAdvice = 'Create another one with: ridethrough apikey create LABEL --expires 90d';
const offAdvice =
  'Authentication is off, and without it the API is read-only. Create a user with: ridethrough user create NAME';

function grantWhileOff({ auth }: Pick<Route, 'auth'>): Grant {
  if (auth !== 'write') return anonymousGrant;
  throw new ApiProblem('FORBIDDEN', offAdvice);
}

function roleTooSmall({ principal, role }: Identity, needed: Role): ApiProblem {
  return new ApiProblem(
    'FORBIDDEN',
    `The role of this credential is "${role}", and this needs "${needed}". The command "ridethrough user role" changes the role of a user; a key gets its role when it is created.`,
    { principal, reason: `denied, the role is ${role}` },
  );
}

export function unauthorized(message: string): ApiProblem {
  return new ApiProblem('UNAUTHORIZED', message, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

export function storeUnavailable(principal?: Principal): ApiProblem {
  return new ApiProblem(
    'AUTH_UNAVAILABLE',
    'The authentication database cannot be read, so the API accepts no credential. Monitoring and shutdown are not affected. See the log for the cause.',
    principal === undefined ? {} : { principal },
  );
}
