// The session of this tab: a token in session storage and nowhere else. Removed when the daemon rejects it.
import type { Role } from '../../shared/domain/status/role.js';

/** One daemon below another path of the same host has another session. */
const key = `ridethrough.session${location.pathname}`;

interface Stored {
  readonly token: string;
  readonly user: string;
}

export class DashboardSession {
  #stored: Stored | null = read();
  /** Why the daemon ended the session; empty when the user signed out. */
  endReason = '';
  /** Null without a session, and until the daemon has sent it. */
  role: Role | null = null;
  readonly #listeners: (() => void)[] = [];

  get token(): string | null {
    return this.#stored?.token ?? null;
  }

  get user(): string | null {
    return this.#stored?.user ?? null;
  }

  /** The daemon decides about each request; the page offers no button that it would refuse. */
  get mayControl(): boolean {
    return this.#stored !== null && this.role === 'control';
  }

  /** Why nothing can be changed here; empty while it can, or while that is not known. */
  get readOnlyReason(): string {
    return this.role === null || this.role === 'control'
      ? ''
      : `${this.user ?? 'This user'} may look at everything and change nothing (role ${this.role}). On the machine of the daemon "ridethrough user role ${this.user ?? 'NAME'} control" changes that.`;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  begin(token: string, user: string): void {
    this.#set({ token, user }, '');
  }

  end(reason: string): void {
    if (this.#stored !== null) this.#set(null, reason);
  }

  #set(stored: Stored | null, reason: string): void {
    this.#stored = stored;
    this.role = null;
    this.endReason = reason;
    write(stored);
    for (const listener of this.#listeners) listener();
  }
}

function write(stored: Stored | null): void {
  try {
    if (stored === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(stored));
  } catch {
    // A browser that blocks cookies blocks storage too: the session lasts as long as the page.
  }
}

function read(): Stored | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Stored | null;
    return typeof stored?.token === 'string' ? stored : null;
  } catch {
    // The value is not from this page, or storage is disabled: there is no session.
    return null;
  }
}
