// The user of the session, and the buttons to sign in and out. The daemon decides about permissions.
import type { Role } from '../../shared/domain/status/role.js';
import { requestErrorText, sessionRejected } from '../daemon/api-client.js';
import { Refresh } from '../daemon/refresh.js';
import { button, byId, make, setText } from '../ui/dom.js';
import type { ViewContext } from './view.js';

interface AuthState {
  readonly enabled: boolean;
  readonly requireForReads: boolean;
  readonly role: Role | null;
}

/** The first user enables authentication without a restart; a delay of half a minute is enough. */
const refreshMs = 30_000;

export class AccountMenu {
  readonly #link = make('a', 'button plain', 'Sign in');
  readonly #userName = make('span', 'quiet');
  readonly #signOutButton: HTMLButtonElement;
  readonly #refresh = new Refresh();
  #state: AuthState | null = null;

  constructor(readonly context: ViewContext) {
    this.#link.href = '#/sign-in';
    this.#signOutButton = button('Sign out', 'plain', () => void this.#signOut());
    context.api.session.onChange(() => this.#refresh.soon());
    byId('account').append(this.#userName, this.#link, this.#signOutButton);
  }

  show(): void {
    const { session } = this.context.api;
    const signedIn = session.token !== null;
    this.#link.hidden = signedIn || this.#state?.enabled !== true;
    this.#signOutButton.hidden = !signedIn;
    this.#userName.hidden = !signedIn;
    const reason = session.readOnlyReason;
    setText(this.#userName, `${session.user ?? ''}${reason === '' ? '' : ' (read only)'}`);
    this.#userName.title = reason;
    if (this.context.clientState.connection !== 'lost' && this.#refresh.isDue(refreshMs)) void this.#load();
  }

  async #load(): Promise<void> {
    try {
      const { session } = this.context.api;
      const { token } = session;
      this.#state = await this.context.api.get<AuthState>('/api/v1/auth/state');
      if (token === session.token) session.role = this.#state.role;
      if (token !== null && session.role === null && token === session.token) session.end(sessionRejected);
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
