// Who is signed in: a token in this tab's session storage, and nowhere else. Gone when the server says so.

const key = 'ridethrough.session';

/** What is kept of a session. */
interface Stored {
  readonly token: string;
  readonly user: string;
}

export class Session {
  #stored: Stored | null = read();
  /** Why it ended, for the person; empty when it was ended here. */
  ended = '';
  readonly #listeners: (() => void)[] = [];

  get token(): string | null {
    return this.#stored?.token ?? null;
  }

  get user(): string | null {
    return this.#stored?.user ?? null;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  begin(token: string, user: string): void {
    this.#set({ token, user }, '');
  }

  end(why: string): void {
    if (this.#stored !== null) this.#set(null, why);
  }

  #set(stored: Stored | null, why: string): void {
    this.#stored = stored;
    this.ended = why;
    if (stored === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, JSON.stringify(stored));
    for (const listener of this.#listeners) listener();
  }
}

function read(): Stored | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Stored | null;
    return typeof stored?.token === 'string' ? stored : null;
  } catch {
    // Not ours, or storage is switched off: then nobody is signed in.
    return null;
  }
}
