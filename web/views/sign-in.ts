// The sign-in form: sends name and password to the daemon that served this page; the token stays in this tab.
import { RequestError } from '../daemon/api-client.js';
import { uniqueId, make, setText, setAttribute } from '../ui/dom.js';
import type { ViewContext, View } from './view.js';

interface LoginBody {
  readonly token: string;
  readonly expiresIn: number;
}

export class SignInView implements View {
  readonly root = make('section', 'narrow');
  readonly #user = field('Name', 'text', 'username');
  readonly #password = field('Password', 'password', 'current-password');
  readonly #message = make('p', 'problem');
  readonly #submit = make('button', 'primary', 'Sign in');
  readonly #form = make('form', 'panel form');

  constructor(readonly context: ViewContext) {
    this.#message.setAttribute('role', 'alert');
    this.#form.append(this.#user.row, this.#password.row, this.#message, this.#submit);
    this.#form.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#signIn();
    });
    const hint = make(
      'p',
      'quiet',
      'Reading requires no account unless api.auth.require_for_reads is set. Create users on the machine of the daemon: ',
      make('code', '', 'ridethrough user create NAME'),
    );
    this.root.append(make('h1', '', 'Sign in'), this.#form, hint);
  }

  title(): string {
    return 'Sign in';
  }

  open(): void {
    setText(this.#message, this.context.api.session.endReason);
    this.#user.input.focus();
  }

  close(): void {
    this.#password.input.value = '';
  }

  show(): void {
    setAttribute(this.#message, 'hidden', this.#message.textContent === '' ? '' : null);
  }

  async #signIn(): Promise<void> {
    const { api, refresh } = this.context;
    const username = this.#user.input.value;
    this.#submit.disabled = true;
    setText(this.#message, '');
    try {
      const body = { username, password: this.#password.input.value };
      const { token } = await api.send<LoginBody>('POST', '/api/v1/auth/login', body);
      this.#password.input.value = '';
      api.session.begin(token, username);
      location.hash = '#/';
    } catch (error) {
      setText(this.#message, error instanceof RequestError ? messageFor(error) : String(error));
      this.#password.input.select();
    } finally {
      this.#submit.disabled = false;
      refresh();
    }
  }
}

function messageFor(refusal: RequestError): string {
  if (refusal.status === 401) return 'The name or the password is wrong.';
  if (refusal.status === 403)
    return 'Nobody can sign in: this daemon has no users. Create one with "ridethrough user create NAME".';
  return refusal.message;
}

function field(label: string, type: string, autocomplete: AutoFill) {
  const input = make('input');
  Object.assign(input, { type, autocomplete, required: true, id: uniqueId(), maxLength: 256 });
  const text = make('label', '', label);
  text.htmlFor = input.id;
  return { input, row: make('div', 'field', text, input) };
}
