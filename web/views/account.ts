// The user of the session, and the buttons to sign in and out. The daemon decides about permissions.
import { requestErrorText } from '../daemon/api-client.js';
import { button, byId, make, setText } from '../ui/dom.js';
import type { ViewContext } from './view.js';

interface AuthState {
  readonly enabled: boolean;
  readonly requireForReads: boolean;
}

/** The first user enables authentication without a restart; a delay of half a minute is enough. */
const refreshMs = 30_000;

export class Account {
  readonly #link = make('a', 'button plain', 'Sign in');
  readonly #userName = make('span', 'quiet');
  readonly #signOutButton: HTMLButtonElement;
  #state: AuthState | null = null;
  #requestedMs = -Infinity;

  constructor(readonly context: ViewContext) {
    this.#link.href = '#/sign-in';
    this.#signOutButton = button('Sign out', 'plain', () => void this.#signOut());
    byId('account').append(this.#userName, this.#link, this.#signOutButton);
  }

  /** True when the view of commands has a link. The daemon decides about each command. */
  get mayControl(): boolean {
    return this.context.api.session.token !== null;
  }

  show(): void {
    const { session } = this.context.api;
    const signedIn = session.token !== null;
    this.#link.hidden = signedIn || this.#state?.enabled !== true;
    this.#signOutButton.hidden = !signedIn;
    this.#userName.hidden = !signedIn;
    setText(this.#userName, session.user ?? '');
    if (this.context.clientState.connection === 'lost' || performance.now() - this.#requestedMs < refreshMs)
      return;
    this.#requestedMs = performance.now();
    void this.#load();
  }

  async #load(): Promise<void> {
    try {
      this.#state = await this.context.api.get<AuthState>('/api/v1/auth/state');
    } catch (error) {
      // Without an answer there is no link; the first request that needs a session shows the sign-in form.
      requestErrorText(error);
      this.#state = null;
    }
    this.context.refresh();
  }

  async #signOut(): Promise<void> {
    const { api } = this.context;
    try {
      await api.send('POST', '/api/v1/auth/logout', {});
    } catch (error) {
      // The page removes the session anyway; on the daemon it expires.
      requestErrorText(error);
    }
    api.session.end('');
    location.hash = '#/';
  }
}
