// The table of events: creates each row once and knows which are selected.
import type { EventRow } from '../../../shared/http/bodies.js';
import { eventInWords } from '../../../shared/domain/status/event-names.js';
import type { EventCategory } from '../../../shared/domain/status/events.js';
import { eventClockNote } from '../../../shared/domain/outage/outage-wording.js';
import { make, setText } from '../../ui/dom.js';
import { formatDateTime } from '../../ui/phrases.js';
import { headCells, scrolling } from '../../ui/table.js';
import { keyOf } from './event-list.js';

interface TableRow {
  readonly row: HTMLTableRowElement;
  readonly tick: HTMLInputElement;
}

const categories: Readonly<Record<EventCategory, string>> = {
  power_event: 'power',
  shutdown: 'shutdown',
  diagnostics: 'diagnostics',
  audit: 'audit',
  lifecycle: 'daemon',
};

export class EventTable {
  readonly #all = make('input');
  readonly #tickHead = make('th', 'tick', this.#all);
  readonly #body = make('tbody');
  readonly root: HTMLElement;
  readonly #rows = new Map<string, TableRow>();
  #shown: readonly EventRow[] = [];
  #deletable: (row: EventRow) => boolean = () => false;

  constructor(readonly ticked: () => void) {
    this.#all.type = 'checkbox';
    this.#all.setAttribute('aria-label', 'Select all shown events');
    this.#all.addEventListener('change', () => {
      for (const row of this.#shown) {
        const tick = this.#rows.get(keyOf(row))?.tick;
        if (tick?.disabled === false) tick.checked = this.#all.checked;
      }
      ticked();
    });
    this.#tickHead.scope = 'col';
    const heads = headCells(['Time', 'Of', 'Event', 'Detail']);
    const head = make('thead', '', make('tr', '', this.#tickHead, ...heads));
    this.root = scrolling('Events, newest first', make('table', 'events', head, this.#body));
  }

  /** `deletable`: null without a session. */
  show(rows: readonly EventRow[], deletable: ((row: EventRow) => boolean) | null): void {
    this.#shown = rows;
    this.#deletable = deletable ?? (() => false);
    this.root.classList.toggle('ticking', deletable !== null);
    const elements = rows.map((row) => {
      const created = this.#rowOf(row);
      created.tick.disabled = !this.#deletable(row);
      if (created.tick.disabled) created.tick.checked = false;
      return created.row;
    });
    if (
      elements.length !== this.#body.children.length ||
      elements.some((one, at) => this.#body.children[at] !== one)
    )
      this.#body.replaceChildren(...elements);
  }

  /** The selected rows among those shown: a hidden row is never deleted. */
  selected(): readonly EventRow[] {
    return this.#shown.filter((row) => this.#rows.get(keyOf(row))?.tick.checked === true);
  }

  clearSelection(): void {
    this.#all.checked = false;
    for (const { tick } of this.#rows.values()) tick.checked = false;
  }

  clear(): void {
    this.#rows.clear();
    this.#body.replaceChildren();
    this.#all.checked = false;
  }

  #rowOf(event: EventRow): TableRow {
    const key = keyOf(event);
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const { ts, label, eventType, detail, category } = event;
    const note = eventClockNote(event, formatDateTime);
    const tick = make('input');
    tick.type = 'checkbox';
    tick.setAttribute('aria-label', `Select ${eventInWords(eventType)} of ${label} at ${formatDateTime(ts)}`);
    tick.addEventListener('change', this.ticked);
    const name = make('strong');
    setText(name, eventInWords(eventType));
    name.title = eventType;
    const row = make(
      'tr',
      category,
      make('td', 'tick', tick),
      make('td', 'when', formatDateTime(ts)),
      make('td', 'whose', label),
      make('td', 'what', name, make('span', 'category', categories[category])),
      make('td', 'detail', note === '' ? detail : `${detail} (${note})`),
    );
    const created = { row, tick };
    this.#rows.set(key, created);
    return created;
  }
}
