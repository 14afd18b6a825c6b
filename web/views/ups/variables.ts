// Every variable of the UPS as NUT reports it. Loaded only while the list is open.
import type { ReadingsBody } from '../../../shared/http/bodies.js';
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import { requestErrorText } from '../../daemon/api-client.js';
import { Refresh } from '../../daemon/refresh.js';
import { uniqueId, make, setText } from '../../ui/dom.js';
import type { ViewContext } from '../view.js';

/** As the `pollinterval` of most drivers. */
const refreshMs = 2_000;

export class VariablesSection {
  readonly #filter = make('input');
  readonly #body = make('tbody');
  readonly #count = make('p', 'quiet');
  readonly #details = make('details', 'panel', make('summary', '', 'All variables'));
  readonly root = make('section', '', this.#details);
  readonly #refresh = new Refresh();
  #readings: readonly (readonly [string, string])[] = [];

  constructor(readonly context: ViewContext) {
    const label = make('label', '', 'Find');
    Object.assign(this.#filter, { type: 'search', id: uniqueId() });
    label.htmlFor = this.#filter.id;
    this.#filter.addEventListener('input', () => this.#draw());
    const head = make('thead', '', make('tr', '', heading('Variable'), heading('Value')));
    const table = make('div', 'scroll', make('table', 'variables', head, this.#body));
    this.#details.append(make('div', 'field inline', label, this.#filter), this.#count, table);
    this.#details.addEventListener('toggle', () => this.context.refresh());
  }

  close(): void {
    this.#readings = [];
    this.#details.open = false;
    this.#refresh.forget();
    this.#draw();
  }

  show(row: UpsRow): void {
    if (this.#details.open && this.#refresh.isDue(refreshMs)) void this.#load(row.groupId);
  }

  async #load(groupId: string): Promise<void> {
    const isCurrent = this.#refresh.begin();
    try {
      const path = `/api/v1/ups/${encodeURIComponent(groupId)}/readings`;
      const { readings } = await this.context.api.get<ReadingsBody>(path);
      if (!isCurrent()) return;
      this.#readings = Object.entries(readings).sort(([a], [b]) => (a < b ? -1 : 1));
      this.#draw();
    } catch (error) {
      if (isCurrent()) setText(this.#count, `The variables cannot be shown: ${requestErrorText(error)}`);
    }
  }

  #draw(): void {
    const wanted = this.#filter.value.toLowerCase();
    const shown = this.#readings.filter(([name, value]) => `${name} ${value}`.toLowerCase().includes(wanted));
    setText(this.#count, `${String(shown.length)} of ${String(this.#readings.length)}, as NUT names them`);
    this.#body.replaceChildren(
      ...shown.map(([name, value]) =>
        make('tr', '', make('td', '', make('code', '', name)), make('td', '', value)),
      ),
    );
  }
}

function heading(text: string): HTMLTableCellElement {
  const cell = make('th', '', text);
  cell.scope = 'col';
  return cell;
}
