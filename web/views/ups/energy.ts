// The energy of one UPS by day or by month, with its cost where the daemon has a price.
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import type { EnergyHistoryBody } from '../../../shared/http/device-bodies.js';
import { EnergyChart } from '../../charts/energy-chart.js';
import { requestErrorText } from '../../daemon/api-client.js';
import { Refresh } from '../../daemon/refresh.js';
import { button, make, setAttribute, setText } from '../../ui/dom.js';
import { saveFile } from '../save-file.js';
import type { ViewContext } from '../view.js';

/** The day of now grows once a minute. */
const refreshMs = 60_000;
const shown = [
  { by: 'day', name: 'Days', count: 31 },
  { by: 'month', name: 'Months', count: 24 },
] as const;
type Shown = (typeof shown)[number];

export class EnergySection {
  readonly #message = make('p', 'quiet');
  readonly #holder = make('div');
  readonly #refresh = new Refresh();
  readonly #buttons = new Map<Shown, HTMLButtonElement>();
  readonly #save: HTMLButtonElement;
  readonly root: HTMLElement;
  #chart: EnergyChart | null = null;
  #shown: Shown = shown[0];
  #groupId = '';

  constructor(readonly context: ViewContext) {
    const choice = make('div', 'choice');
    choice.setAttribute('role', 'group');
    choice.setAttribute('aria-label', 'Energy by');
    for (const one of shown) {
      const made = button(one.name, '', () => this.#choose(one));
      this.#buttons.set(one, made);
      choice.append(made);
    }
    this.#save = button('Save as CSV', '', () => void this.#saveFile());
    choice.append(this.#save);
    this.root = make('section', 'panel', make('div', 'section-top', make('h2', '', 'Energy'), choice));
    this.root.append(this.#message, this.#holder);
  }

  close(): void {
    this.#chart?.end();
    this.#chart = null;
    this.#holder.replaceChildren();
    this.#refresh.forget();
  }

  show({ groupId }: UpsRow): void {
    if (groupId !== this.#groupId) this.close();
    this.#groupId = groupId;
    for (const [one, made] of this.#buttons) setAttribute(made, 'aria-pressed', String(one === this.#shown));
    const { connection } = this.context.clientState;
    if (connection !== 'lost' && this.#refresh.isDue(refreshMs)) void this.#load();
  }

  #choose(one: Shown): void {
    this.#shown = one;
    this.#refresh.soon();
    this.context.refresh();
  }

  #path(): string {
    const { by, count } = this.#shown;
    return `/api/v1/ups/${encodeURIComponent(this.#groupId)}/energy-history?by=${by}&count=${String(count)}`;
  }

  /** Ignores the answers of an earlier request. */
  async #load(): Promise<void> {
    const isCurrent = this.#refresh.begin();
    try {
      const body = await this.context.api.get<EnergyHistoryBody>(this.#path());
      if (!isCurrent()) return;
      this.#draw(body);
    } catch (error) {
      if (!isCurrent()) return;
      this.#refresh.failed();
      setText(this.#message, `The energy cannot be shown: ${requestErrorText(error)}`);
    }
    this.#message.hidden = this.#message.textContent === '';
  }

  #draw(body: EnergyHistoryBody): void {
    const isEmpty = body.data.length === 0;
    setText(
      this.#message,
      isEmpty ? 'No energy was counted yet: it needs the power or the load of the UPS.' : '',
    );
    this.#save.hidden = isEmpty;
    this.#holder.hidden = isEmpty;
    if (isEmpty) return;
    if (this.#chart === null) {
      this.#chart = new EnergyChart();
      this.#holder.replaceChildren(this.#chart.root);
    }
    this.#chart.show(body);
  }

  async #saveFile(): Promise<void> {
    try {
      const name = `${this.#groupId}-energy-by-${this.#shown.by}.csv`;
      await saveFile(this.context.api, `${this.#path()}&format=csv`, name);
    } catch (error) {
      setText(this.#message, `The file cannot be saved: ${requestErrorText(error)}`);
      this.#message.hidden = false;
    }
  }
}
