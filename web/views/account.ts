// Who is signed in, and the way in and out. What one may do is what the daemon says, asked when somebody signs in.
import { refusalText } from '../daemon/requests.js';
import { button, byId, make, say } from '../ui/dom.js';
import type { Tools } from './view.js';

interface AuthState {
  readonly enabled: boolean;
  readonly requireForReads: boolean;
}

/** Creating the first user takes effect without a restart; nobody waits for that by the second. */
const askEveryMs = 30_000;

export class Account {
  readonly #link = make('a', 'button plain', 'Sign in');
  readonly #who = make('span', 'quiet');
  readonly #out: HTMLButtonElement;
  #state: AuthState | null = null;
  #askedMs = -Infinity;

  constructor(readonly tools: Tools) {
    this.#link.href = '#/sign-in';
    this.#out = button('Sign out', 'plain', () => void this.#signOut());
    byId('account').append(this.#who, this.#link, this.#out);
  }

  /** True when the view of commands is worth a link. The daemon decides about each command. */
  get mayControl(): boolean {
    return this.tools.requests.session.token !== null;
  }

  show(): void {
    const { session } = this.tools.requests;
    const signedIn = session.token !== null;
    this.#link.hidden = signedIn || this.#state?.enabled !== true;
    this.#out.hidden = !signedIn;
    this.#who.hidden = !signedIn;
    say(this.#who, session.user ?? '');
    if (this.tools.known.contact === 'lost' || performance.now() - this.#askedMs < askEveryMs) return;
    this.#askedMs = performance.now();
    void this.#ask();
  }

  async #ask(): Promise<void> {
    try {
      this.#state = await this.tools.requests.get<AuthState>('/api/v1/auth/state');
    } catch (error) {
      // Without an answer nothing is offered; whoever needs to sign in is told so by the first refusal.
      refusalText(error);
      this.#state = null;
    }
    this.tools.refresh();
  }

  async #signOut(): Promise<void> {
    const { requests } = this.tools;
    try {
      await requests.send('POST', '/api/v1/auth/logout', {});
    } catch (error) {
      // It is forgotten here all the same, and ends by itself there.
      refusalText(error);
    }
    requests.session.end('');
    location.hash = '#/';
  }
}
