// The filter of the events: verbosity, UPS, time span, search words.
import { uniqueId, make } from '../../ui/dom.js';
import type { EventFilter } from './event-list.js';

const day = 86_400;
const spans = [
  ['24 hours', day],
  ['7 days', 7 * day],
  ['30 days', 30 * day],
  ['1 year', 365 * day],
  ['everything', Infinity],
] as const;
const verbosities = ['power and shutdown', 'with diagnostics', 'everything'];

export class Filters {
  readonly #verbosity = select(
    'Show',
    verbosities.map((text, index) => [text, String(index)]),
  );
  readonly #ups = select('UPS', [['all', '']]);
  readonly #span = select('Last', [
    ...spans.map(([text], index) => [text, String(index)] as const),
    ['from … to …', 'custom'],
  ]);
  readonly #from = field('From', 'datetime-local');
  readonly #to = field('To', 'datetime-local');
  readonly #search = field('Find', 'search');
  readonly root = make(
    'form',
    'filters',
    this.#verbosity.row,
    this.#ups.row,
    this.#span.row,
    this.#from.row,
    this.#to.row,
    this.#search.row,
  );

  /** `reload`: the events must be loaded again; `redraw`: the loaded ones are enough. */
  constructor(reload: () => void, redraw: () => void) {
    this.#verbosity.input.value = '1';
    this.#span.input.value = '1';
    this.#search.input.placeholder = 'text, type or name';
    this.root.addEventListener('submit', (event) => event.preventDefault());
    for (const { input } of [this.#verbosity, this.#span, this.#from, this.#to])
      input.addEventListener('change', () => {
        this.#setChildren();
        reload();
      });
    this.#ups.input.addEventListener('change', redraw);
    this.#search.input.addEventListener('input', redraw);
    this.#setChildren();
  }

  /** For the query of GET /api/v1/events, without the cursor. */
  query(now: number): string {
    const { from, to } = this.#bounds(now);
    const bound = (name: string, value: number): string =>
      Number.isFinite(value) ? `&${name}=${String(Math.floor(value))}` : '';
    return `verbosity=${this.#verbosity.input.value}${bound('from', from)}${bound('to', to)}`;
  }

  /** Whether a new event passes verbosity and time span. */
  admits(tier: 0 | 1 | 2, ts: number, now: number): boolean {
    const { from, to } = this.#bounds(now);
    return tier <= Number(this.#verbosity.input.value) && ts >= from && ts <= to;
  }

  filter(): EventFilter {
    const words = this.#search.input.value
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    return { ups: this.#ups.input.value, words };
  }

  setSources(sources: readonly (readonly [label: string, source: string])[]): void {
    const options = [['all', ''] as const, ...sources];
    const { input } = this.#ups;
    const shown = [...input.options].map(({ textContent, value }) => `${value}\n${textContent}`).join();
    if (shown === options.map(([label, source]) => `${source}\n${label}`).join()) return;
    const { value } = input;
    input.replaceChildren(...options.map(([label, source]) => option(label, source)));
    input.value = value;
  }

  #bounds(now: number): { readonly from: number; readonly to: number } {
    const { value } = this.#span.input;
    if (value !== 'custom') return { from: now - (spans[Number(value)]?.[1] ?? Infinity), to: Infinity };
    const at = (text: string, none: number): number => (text === '' ? none : Date.parse(text) / 1000);
    return { from: at(this.#from.input.value, -Infinity), to: at(this.#to.input.value, Infinity) };
  }

  #setChildren(): void {
    const custom = this.#span.input.value === 'custom';
    this.#from.row.hidden = !custom;
    this.#to.row.hidden = !custom;
  }
}

function select(text: string, options: readonly (readonly [label: string, value: string])[]) {
  const input = make('select');
  input.append(...options.map(([label, value]) => option(label, value)));
  return withLabel(text, input);
}

function field(text: string, type: string) {
  const input = make('input');
  input.type = type;
  return withLabel(text, input);
}

function withLabel<E extends HTMLElement>(text: string, input: E) {
  input.id = uniqueId();
  const label = make('label', '', text);
  label.htmlFor = input.id;
  return { input, row: make('div', 'field', label, input) };
}

function option(label: string, value: string): HTMLOptionElement {
  const element = make('option', '', label);
  element.value = value;
  return element;
}
