// The rows of the events that are shown, each made once, and which of them are ticked.
import type { EventRow } from '../../../shared/http/bodies.js';
import type { EventCategory } from '../../../shared/domain/events.js';
import { make, say } from '../../ui/dom.js';
import { eventInWords, moment } from '../../ui/phrases.js';
import { keyOf } from './event-list.js';

interface Made {
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
  readonly #made = new Map<string, Made>();
  #shown: readonly EventRow[] = [];
  #deletable: (row: EventRow) => boolean = () => false;

  constructor(readonly ticked: () => void) {
    this.#all.type = 'checkbox';
    this.#all.setAttribute('aria-label', 'Select all shown events');
    this.#all.addEventListener('change', () => {
      for (const row of this.#shown) {
        const tick = this.#made.get(keyOf(row))?.tick;
        if (tick?.disabled === false) tick.checked = this.#all.checked;
      }
      ticked();
    });
    this.#tickHead.scope = 'col';
    const heads = ['Time', 'Of', 'Event', 'Detail'].map((text) => {
      const head = make('th', '', text);
      head.scope = 'col';
      return head;
    });
    const table = make(
      'table',
      'events',
      make('thead', '', make('tr', '', this.#tickHead, ...heads)),
      this.#body,
    );
    this.root = make('div', 'scroll', table);
    // What scrolls by itself must be reachable by keyboard.
    this.root.tabIndex = 0;
    this.root.setAttribute('role', 'region');
    this.root.setAttribute('aria-label', 'Events, newest first');
  }

  /** `deletable`: null while nobody may delete anything. */
  show(rows: readonly EventRow[], deletable: ((row: EventRow) => boolean) | null): void {
    this.#shown = rows;
    this.#deletable = deletable ?? (() => false);
    this.root.classList.toggle('ticking', deletable !== null);
    const elements = rows.map((row) => {
      const made = this.#of(row);
      made.tick.disabled = !this.#deletable(row);
      if (made.tick.disabled) made.tick.checked = false;
      return made.row;
    });
    if (
      elements.length !== this.#body.children.length ||
      elements.some((one, at) => this.#body.children[at] !== one)
    )
      this.#body.replaceChildren(...elements);
  }

  /** The ticked ones among those shown: nobody deletes what he does not see. */
  selected(): readonly EventRow[] {
    return this.#shown.filter((row) => this.#made.get(keyOf(row))?.tick.checked === true);
  }

  untick(): void {
    this.#all.checked = false;
    for (const { tick } of this.#made.values()) tick.checked = false;
  }

  forget(): void {
    this.#made.clear();
    this.#body.replaceChildren();
    this.#all.checked = false;
  }

  #of(event: EventRow): Made {
    const key = keyOf(event);
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const { ts, label, eventType, detail, category } = event;
    const tick = make('input');
    tick.type = 'checkbox';
    tick.setAttribute('aria-label', `Select ${eventInWords(eventType)} of ${label} at ${moment(ts)}`);
    tick.addEventListener('change', this.ticked);
    const name = make('strong');
    say(name, eventInWords(eventType));
    name.title = eventType;
    const row = make(
      'tr',
      category,
      make('td', 'tick', tick),
      make('td', 'when', moment(ts)),
      make('td', 'whose', label),
      make('td', 'what', name, make('span', 'category', categories[category])),
      make('td', 'detail', detail),
    );
    const made = { row, tick };
    this.#made.set(key, made);
    return made;
  }
}
