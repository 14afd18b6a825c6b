// Logins that begin with the sequence, so that a command is one round trip when its turn comes. A login changes nothing:
// it runs only the harmless check of the login shell.
import type { RemoteTarget } from '../../shared/protocol/remote.js';
import type { SshDependencies } from '../ssh/open-session.js';
import type { LoginFailure } from '../ssh/login.js';
import { openSession } from '../ssh/open-session.js';
import type { SshSession } from '../ssh/session.js';
import { maxDrainMs } from '../ssh/session.js';
import { isPosixAnswer, shellCheck } from '../ssh/shell.js';

/** As in a drill: the start files of a login on a busy server take seconds, and no answer counts as a shell that is not POSIX. */
const checkTimeoutMs = 10_000;
/** A server that begins nothing in this time hangs. */
const checkBeginMs = 3_000;

export interface OpenLogin {
  readonly ok: true;
  readonly session: SshSession;
  readonly isPosix: boolean;
  readonly durationMs: number;
}

/** The end of a login that began with the sequence. */
export type EarlyLogin = OpenLogin | LoginFailure;

interface PlannedLogin {
  readonly target: RemoteTarget;
  /** Null until it has begun. */
  opened: Promise<EarlyLogin> | null;
  readonly cancelTimer: () => void;
}

export interface LoginObserver {
  /** Its login will begin: until it ends the server is taken to be up. */
  expected(target: RemoteTarget): void;
  answered(target: RemoteTarget, session: SshSession): void;
  failed(target: RemoteTarget): void;
}

export class Logins {
  readonly #deps: SshDependencies;
  readonly #observer: LoginObserver;
  readonly #logins = new Map<string, PlannedLogin>();
  #atOnce = 1;
  #running = 0;

  constructor(deps: SshDependencies, observer: LoginObserver) {
    this.#deps = deps;
    this.#observer = observer;
  }

  begin(targets: readonly RemoteTarget[], atOnce: number, holdMs: number): void {
    this.#atOnce = Math.max(this.#atOnce, atOnce);
    for (const target of targets) {
      const { server } = target;
      if (this.#logins.has(server)) continue;
      const timer = setTimeout(() => this.end([server]), holdMs);
      this.#logins.set(server, { target, opened: null, cancelTimer: () => clearTimeout(timer) });
      this.#observer.expected(target);
    }
    this.#next();
  }

  /** The login of the server, for its only user; undefined when it has not begun. */
  take(server: string): Promise<EarlyLogin> | undefined {
    const login = this.#logins.get(server);
    if (login === undefined) return undefined;
    this.#remove(server, login);
    return login.opened ?? undefined;
  }

  /** Closes the sessions that nobody has taken. */
  end(servers: readonly string[] = [...this.#logins.keys()]): void {
    for (const server of servers) {
      const login = this.#logins.get(server);
      if (login === undefined) continue;
      this.#remove(server, login);
      void login.opened?.then(close);
    }
    if (this.#logins.size === 0) this.#atOnce = 1;
  }

  #remove(server: string, { cancelTimer }: PlannedLogin): void {
    cancelTimer();
    this.#logins.delete(server);
  }

  #next(): void {
    for (const login of this.#logins.values()) {
      if (this.#running >= this.#atOnce) return;
      if (login.opened !== null) continue;
      this.#running += 1;
      login.opened = this.#open(login.target).finally(() => {
        this.#running -= 1;
        this.#next();
      });
    }
  }

  async #open(target: RemoteTarget): Promise<EarlyLogin> {
    const beganMs = performance.now();
    const login = await openSession(target, this.#deps, target.connectTimeoutMs);
    if (!login.ok) {
      this.#observer.failed(target);
      return login;
    }
    const { session } = login;
    const durationMs = performance.now() - beganMs;
    this.#observer.answered(target, session);
    const isPosix = await hasPosixShell(session, { timeoutMs: checkTimeoutMs, drainMs: maxDrainMs });
    return { ok: true, session, isPosix, durationMs };
  }
}

export function close(login: EarlyLogin): void {
  if (login.ok) login.session.close();
}

export async function hasPosixShell(
  session: SshSession,
  times: { readonly timeoutMs: number; readonly drainMs: number },
): Promise<boolean> {
  return isPosixAnswer((await session.run({ text: shellCheck, beginMs: checkBeginMs, ...times })).stdout);
}

/** The check of the shell within `spareMs`. */
export const checkTimes = (spareMs: number): { readonly timeoutMs: number; readonly drainMs: number } => {
  const timeoutMs = Math.min(checkTimeoutMs, spareMs);
  return { timeoutMs, drainMs: Math.min(maxDrainMs, spareMs - timeoutMs) };
};
