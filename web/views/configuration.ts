// The configuration as the daemon shows it: sanitized, more of it when signed in, never a secret. And its reload.
import type { ConfigBody } from '../../shared/http/config-body.js';
import { refusalText } from '../daemon/requests.js';
import { confirmed } from '../ui/confirmation.js';
import { button, make, say } from '../ui/dom.js';
import { keyInWords, settingsOf } from './configuration-words.js';
import { reloadReport } from './reload-report.js';
import type { ReloadBody } from './reload-report.js';
import type { Tools, View } from './view.js';

/** It changes with a reload, which somebody does by hand. */
const askEveryMs = 15_000;

export class Configuration implements View {
  readonly root = make('div', 'configuration');
  readonly #detail = make('p', 'quiet');
  readonly #problem = make('p', 'problem');
  readonly #report = make('div', 'report');
  readonly #sections = make('div', 'sections');
  readonly #reload: HTMLButtonElement;
  #text = '';
  #askedMs = -Infinity;

  constructor(readonly tools: Tools) {
    this.#reload = button('Reload the configuration', '', () => void this.#askReload());
    this.#report.setAttribute('role', 'status');
    this.#problem.hidden = true;
    const top = make('div', 'section-top', make('h1', '', 'Configuration'), this.#reload);
    this.root.append(top, this.#detail, this.#problem, this.#report, this.#sections);
  }

  title(): string {
    return 'Configuration';
  }

  open(): void {
    this.#askedMs = -Infinity;
    this.show();
  }

  show(): void {
    this.#reload.hidden = this.tools.requests.session.token === null;
    if (this.tools.known.contact === 'lost' || performance.now() - this.#askedMs < askEveryMs) return;
    this.#askedMs = performance.now();
    void this.#ask();
  }

  async #ask(): Promise<void> {
    try {
      const body = await this.tools.requests.get<ConfigBody>('/api/v1/config');
      this.#problem.hidden = true;
      const text = JSON.stringify(body);
      if (text !== this.#text) this.#draw(body);
      this.#text = text;
    } catch (error) {
      this.#problem.hidden = false;
      say(this.#problem, `The configuration cannot be shown: ${refusalText(error)}`);
    }
  }

  #draw({ detail, ups, redundancyGroups, ...rest }: ConfigBody): void {
    say(
      this.#detail,
      detail === 'extended'
        ? 'Everything but the secrets.'
        : 'Sanitized: without user names, commands and allowlists. More is shown to who is signed in.',
    );
    const named = (row: { readonly name: string; readonly label?: string }): string => row.label ?? row.name;
    this.#sections.replaceChildren(
      ...ups.map((row) => section(named(row), row)),
      ...redundancyGroups.map((row) => section(`${named(row)} (redundancy group)`, row)),
      ...Object.entries(rest).flatMap(([key, value]) =>
        typeof value === 'object' ? [section(keyInWords(key), value)] : [],
      ),
      section(
        'Behaviour',
        Object.fromEntries(Object.entries(rest).filter(([, value]) => typeof value !== 'object')),
      ),
    );
  }

  async #askReload(): Promise<void> {
    const yes = await confirmed({
      title: 'Reload the configuration?',
      lines: [
        'The file is read and checked as a whole. If anything in it is wrong, nothing changes and you are told what.',
        'A running shutdown keeps the plan it started with.',
      ],
      action: 'Reload',
    });
    if (!yes) return;
    this.#reload.disabled = true;
    try {
      const body = await this.tools.requests.send<ReloadBody>('POST', '/api/v1/config/reload', {});
      this.#report.replaceChildren(...reloadReport(body));
      this.tools.details.forget();
    } catch (error) {
      this.#report.replaceChildren(...reloadReport(error));
    } finally {
      this.#reload.disabled = false;
      this.#askedMs = -Infinity;
      this.tools.refresh();
    }
  }
}

function section(title: string, value: object): HTMLElement {
  const list = make('dl', 'settings');
  for (const [words, ...values] of settingsOf(value))
    list.append(make('div', '', make('dt', '', words), ...values.map((one) => make('dd', '', one))));
  return make('section', 'panel', make('h2', '', title), list);
}
