// The configuration as the API returns it: sanitized, with more detail for a session, never a secret. And its reload.
import type { ConfigBody } from '../../shared/http/config-body.js';
import { requestErrorText } from '../daemon/api-client.js';
import { Refresh } from '../daemon/refresh.js';
import { askConfirmation } from '../ui/confirmation.js';
import { button, make, setText } from '../ui/dom.js';
import { saveFile } from './save-file.js';
import { keyInWords, settingsOf } from './configuration-text.js';
import { reloadReport } from './reload-report.js';
import type { ReloadBody } from './reload-report.js';
import type { ViewContext, View } from './view.js';

/** It changes only with a reload. */
const refreshMs = 15_000;

export class ConfigurationView implements View {
  readonly root = make('div', 'configuration');
  readonly #detail = make('p', 'quiet');
  readonly #problem = make('p', 'problem');
  readonly #report = make('div', 'report');
  readonly #sections = make('div', 'sections');
  readonly #reload: HTMLButtonElement;
  readonly #support: HTMLButtonElement;
  readonly #refresh = new Refresh();
  #text = '';

  constructor(readonly context: ViewContext) {
    this.#reload = button('Reload the configuration', '', () => void this.#confirmReload());
    this.#support = button('Support archive', '', () => void this.#saveSupport());
    this.#report.setAttribute('role', 'status');
    this.#problem.hidden = true;
    const setup = make('a', 'button', 'Set up');
    setup.href = '#/setup';
    const top = make(
      'div',
      'section-top',
      make('h1', '', 'Configuration'),
      setup,
      this.#support,
      this.#reload,
    );
    this.root.append(top, this.#detail, this.#problem, this.#report, this.#sections);
  }

  title(): string {
    return 'Configuration';
  }

  open(): void {
    this.#refresh.soon();
    this.show();
  }

  show(): void {
    this.#reload.hidden = !this.context.api.session.mayControl;
    this.#support.hidden = this.#reload.hidden;
    if (this.context.clientState.connection !== 'lost' && this.#refresh.isDue(refreshMs)) void this.#load();
  }

  async #load(): Promise<void> {
    try {
      const body = await this.context.api.get<ConfigBody>('/api/v1/config');
      this.#problem.hidden = true;
      const text = JSON.stringify(body);
      if (text !== this.#text) this.#draw(body);
      this.#text = text;
    } catch (error) {
      this.#problem.hidden = false;
      setText(this.#problem, `The configuration cannot be shown: ${requestErrorText(error)}`);
    }
  }

  #draw({ detail, ups, redundancyGroups, ...rest }: ConfigBody): void {
    setText(
      this.#detail,
      detail === 'extended'
        ? 'All settings except secrets.'
        : 'Sanitized: without user names, commands and allowlists. Sign in to see more.',
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

  /** It asks for details of every UPS: a large fleet takes some seconds. */
  async #saveSupport(): Promise<void> {
    this.#support.disabled = true;
    try {
      await saveFile(this.context.api, '/api/v1/support', 'ridethrough-support.tar.gz', 60_000);
      this.#report.replaceChildren(
        make(
          'p',
          '',
          'Read README.txt in the archive before you send it to anybody: it names hosts, users and serial numbers.',
        ),
      );
    } catch (error) {
      this.#report.replaceChildren(make('p', 'problem', requestErrorText(error)));
    } finally {
      this.#support.disabled = false;
    }
  }

  async #confirmReload(): Promise<void> {
    const yes = await askConfirmation({
      title: 'Reload the configuration?',
      lines: [
        'The file is read and checked as a whole. If it is invalid, nothing changes and the errors are shown.',
        'A running shutdown keeps the plan it started with.',
      ],
      action: 'Reload',
    });
    if (!yes) return;
    this.#reload.disabled = true;
    try {
      const body = await this.context.api.send<ReloadBody>('POST', '/api/v1/config/reload', {});
      this.#report.replaceChildren(...reloadReport(body));
      this.context.details.invalidate();
    } catch (error) {
      this.#report.replaceChildren(...reloadReport(error));
    } finally {
      this.#reload.disabled = false;
      this.#refresh.soon();
      this.context.refresh();
    }
  }
}

function section(title: string, value: object): HTMLElement {
  const list = make('dl', 'settings');
  for (const [words, ...values] of settingsOf(value))
    list.append(make('div', '', make('dt', '', words), ...values.map((one) => make('dd', '', one))));
  return make('section', 'panel', make('h2', '', title), list);
}
