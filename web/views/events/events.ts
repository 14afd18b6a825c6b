// What has happened: newest first, older ones on request, new ones as they come.
import type { EventRow, EventsBody } from '../../../shared/http/bodies.js';

import { cutOff, nowSeconds } from '../../daemon/knowledge.js';
import { refusalText } from '../../daemon/requests.js';
import { button, make, say } from '../../ui/dom.js';
import { counted } from '../../ui/phrases.js';
import type { Tools, View } from '../view.js';
import { deleteEvents } from './deletion.js';
import { EventList, matches } from './event-list.js';
import { EventTable } from './event-table.js';
import { Filters } from './filters.js';

/** The verbosity at which a category is shown (specification/events.md#tiers). */
const tierOf = { power_event: 0, shutdown: 0, diagnostics: 1, audit: 2, lifecycle: 2 } as const;
/** A page as a person reads it, and as a slow link carries it. */
const pageRows = 200;
/** Where there is no stream the newest are asked for as often. */
const pollMs = 5_000;
/** What a browser still draws with ease; beyond it, narrow the time. */
const mostRows = 20_000;

export class Events implements View {
  readonly root = make('div', 'events-view');
  readonly #filters = new Filters(
    () => void this.#begin(),
    () => this.#draw(),
  );
  readonly #table = new EventTable(() => this.#draw());
  readonly #list = new EventList();
  readonly #count = make('p', 'quiet');
  readonly #done = make('p');
  readonly #problem = make('p', 'problem');
  readonly #older: HTMLButtonElement;
  readonly #delete: HTMLButtonElement;
  #liveSeen = 0;
  #turn = 0;
  #polledMs = 0;
  #complete = false;
  #opened = false;

  constructor(readonly tools: Tools) {
    this.#older = button('Load older', '', () => void this.#loadOlder());
    this.#delete = button('Delete selected', 'danger-button', () => void this.#deleteSelected());
    this.#count.setAttribute('role', 'status');
    this.#done.setAttribute('role', 'status');
    this.#done.hidden = true;
    this.#problem.setAttribute('role', 'alert');
    const top = make('div', 'section-top', this.#count, this.#delete);
    this.root.append(
      make('h1', '', 'Events'),
      this.#filters.root,
      this.#done,
      this.#problem,
      top,
      this.#table.root,
      this.#older,
    );
  }

  title(): string {
    return 'Events';
  }

  open(): void {
    this.#opened = true;
    void this.#begin();
  }

  close(): void {
    this.#opened = false;
  }

  show(): void {
    const { known } = this.tools;
    this.root.classList.toggle('cut-off', cutOff(known));
    const groups = known.status?.redundancyGroups.map(({ name, groupId }) => [name, groupId] as const) ?? [];
    const upses = known.status?.ups.map(({ label, groupId }) => [label, groupId] as const) ?? [];
    this.#filters.offer([...upses, ...groups, ['the daemon', 'daemon']]);
    this.#takeLive();
    this.#draw();
    if (known.contact !== 'polling' || performance.now() - this.#polledMs < pollMs) return;
    this.#polledMs = performance.now();
    void this.#load('', false);
  }

  /** Each once: one that was deleted does not come back. */
  #takeLive(): void {
    const { known } = this.tools;
    const missed = known.liveCount - this.#liveSeen;
    if (missed === 0) return;
    this.#liveSeen = known.liveCount;
    const now = nowSeconds(known);
    const fresh = known.liveEvents.slice(-missed);
    this.#list.add(
      this.#named(fresh).filter(({ category, ts }) => this.#filters.admits(tierOf[category], ts, now)),
    );
  }

  async #begin(): Promise<void> {
    this.#turn++;
    this.#done.hidden = true;
    this.#list.clear();
    this.#table.forget();
    this.#complete = false;
    this.#liveSeen = this.tools.known.liveCount;
    this.#polledMs = performance.now();
    await this.#load('', true);
  }

  async #loadOlder(): Promise<void> {
    this.#older.disabled = true;
    await this.#load(this.#list.cursor(), true);
    this.#older.disabled = false;
  }

  /** One page; `cursor` empty is the newest. `last`: nothing older is loaded, so a page that is not full is the last. */
  async #load(cursor: string, last: boolean): Promise<void> {
    const turn = this.#turn;
    const query = `${this.#filters.query(nowSeconds(this.tools.known))}&limit=${String(pageRows)}${cursor}`;
    try {
      const { events } = await this.tools.requests.get<EventsBody>(`/api/v1/events?${query}`);
      if (turn !== this.#turn) return;
      this.#list.add(this.#named(events));
      if (last && events.length < pageRows) this.#complete = true;
      say(this.#problem, '');
    } catch (error) {
      say(this.#problem, `The events cannot be shown: ${refusalText(error)}`);
    }
    this.#draw();
  }

  #draw(): void {
    if (!this.#opened) return;
    const wanted = this.#filters.wanted();
    const shown = this.#list.rows().filter((row) => matches(row, wanted));
    const signedIn = this.tools.requests.session.token !== null;
    this.#table.show(shown, signedIn ? (row) => this.#isDeletable(row) : null);
    const narrowed = shown.length === this.#list.size ? '' : `${String(shown.length)} of `;
    const whole = this.#complete ? '' : ' loaded; older ones can be loaded below';
    const full = this.#list.size >= mostRows;
    say(
      this.#count,
      full
        ? `${narrowed}${counted(this.#list.size, 'event')}: that is enough for a page. Choose a shorter time.`
        : this.#list.size === 0 && this.#complete
          ? 'Nothing of this kind has happened in this time.'
          : `${narrowed}${counted(this.#list.size, 'event')}${whole}`,
    );
    this.#table.root.hidden = shown.length === 0;
    this.#older.hidden = this.#complete || full || this.#list.size === 0;
    const selected = this.#table.selected().length;
    this.#delete.hidden = !signedIn;
    this.#delete.disabled = selected === 0;
    say(this.#delete, selected === 0 ? 'Delete selected' : `Delete ${String(selected)}`);
    this.#problem.hidden = this.#problem.textContent === '';
  }

  /** The daemon calls a redundancy group by its id; a person knows its name. */
  #named(rows: readonly EventRow[]): readonly EventRow[] {
    const groups = this.tools.known.status?.redundancyGroups ?? [];
    return rows.map((row) => {
      const group = groups.find(({ groupId }) => groupId === row.source);
      return group === undefined ? row : { ...row, label: group.name };
    });
  }

  /** Audit rows cannot be deleted, and a row of no UPS has no route (specification/api-writes.md#event-deletion). */
  #isDeletable({ category, source }: EventRow): boolean {
    return (
      category !== 'audit' &&
      (this.tools.known.status?.ups.some(({ groupId }) => groupId === source) ?? false)
    );
  }

  async #deleteSelected(): Promise<void> {
    const rows = this.#table.selected();
    try {
      const deleted = await deleteEvents(this.tools.requests, rows);
      if (deleted === null) return;
      this.#table.untick();
      await this.#begin();
      say(this.#done, `${counted(deleted, 'event')} deleted.`);
      this.#done.hidden = false;
    } catch (error) {
      say(this.#problem, `Nothing, or not everything, was deleted: ${refusalText(error)}`);
      this.#draw();
    }
  }
}
