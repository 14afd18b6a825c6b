// Every variable of the UPS, verbatim, asked for only while the list is open.
import type { ReadingsBody } from '../../../shared/http/bodies.js';
import type { UpsRow } from '../../../shared/domain/status-model.js';
import { refusalText } from '../../daemon/requests.js';
import { freshId, make, say } from '../../ui/dom.js';
import type { Tools } from '../view.js';

const askEveryMs = 2_000;

export class Variables {
  readonly #filter = make('input');
  readonly #body = make('tbody');
  readonly #count = make('p', 'quiet');
  readonly #more = make('details', 'panel', make('summary', '', 'All variables'));
  readonly root = make('section', '', this.#more);
  #readings: readonly (readonly [string, string])[] = [];
  #askedMs = -Infinity;

  constructor(readonly tools: Tools) {
    const label = make('label', '', 'Find');
    Object.assign(this.#filter, { type: 'search', id: freshId() });
    label.htmlFor = this.#filter.id;
    this.#filter.addEventListener('input', () => this.#draw());
    const head = make('thead', '', make('tr', '', heading('Variable'), heading('Value')));
    const table = make('div', 'scroll', make('table', 'variables', head, this.#body));
    this.#more.append(make('div', 'field inline', label, this.#filter), this.#count, table);
    this.#more.addEventListener('toggle', () => this.tools.refresh());
  }

  close(): void {
    this.#readings = [];
    this.#more.open = false;
    this.#askedMs = -Infinity;
    this.#draw();
  }

  show(row: UpsRow): void {
    if (!this.#more.open || performance.now() - this.#askedMs < askEveryMs) return;
    this.#askedMs = performance.now();
    void this.#ask(row.groupId);
  }

  async #ask(groupId: string): Promise<void> {
    try {
      const path = `/api/v1/ups/${encodeURIComponent(groupId)}/readings`;
      const { readings } = await this.tools.requests.get<ReadingsBody>(path);
      this.#readings = Object.entries(readings).sort(([a], [b]) => (a < b ? -1 : 1));
      this.#draw();
    } catch (error) {
      say(this.#count, `The variables cannot be shown: ${refusalText(error)}`);
    }
  }

  #draw(): void {
    const wanted = this.#filter.value.toLowerCase();
    const shown = this.#readings.filter(([name, value]) => `${name} ${value}`.toLowerCase().includes(wanted));
    say(this.#count, `${String(shown.length)} of ${String(this.#readings.length)}, as NUT names them`);
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
