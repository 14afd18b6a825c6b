// The events: newest first, older ones on request, new ones from the stream.
import { countText } from '../../../shared/domain/base/format.js';
import { tierOf } from '../../../shared/domain/status/event-names.js';
import type { EventRow, EventsBody } from '../../../shared/http/bodies.js';
import { isDisconnected, nowSeconds } from '../../daemon/client-state.js';
import { requestErrorText } from '../../daemon/api-client.js';
import { button, make, setText } from '../../ui/dom.js';
import type { ViewContext, View } from '../view.js';
import { deleteEvents } from './deletion.js';
import { EventList, matches } from './event-list.js';
import { EventTable } from './event-table.js';
import { Filters } from './filters.js';

/** Rows of one request: readable, and fast over a slow link. */
const pageRows = 200;
/** The newest events are loaded at this interval without a stream, and until it succeeds after a new one has begun. */
const pollMs = 5_000;
/** More rows make the page slow. */
const maxRows = 20_000;

export class EventsView implements View {
  readonly root = make('div', 'events-view');
  readonly #filters = new Filters(
    () => void this.#reload(),
    () => this.#draw(),
  );
  readonly #table = new EventTable(() => this.#draw());
  readonly #list = new EventList();
  readonly #count = make('p', 'quiet');
  readonly #result = make('p');
  readonly #problem = make('p', 'problem');
  readonly #older: HTMLButtonElement;
  readonly #delete: HTMLButtonElement;
  #liveSeen = 0;
  #streamSeen = 0;
  #requestNumber = 0;
  #polledMs = 0;
  #complete = false;
  #opened = false;

  constructor(readonly context: ViewContext) {
    this.#older = button('Load older', '', () => void this.#loadOlder());
    this.#delete = button('Delete selected', 'danger-button', () => void this.#deleteSelected());
    this.#count.setAttribute('role', 'status');
    this.#result.setAttribute('role', 'status');
    this.#result.hidden = true;
    this.#problem.setAttribute('role', 'alert');
    const top = make('div', 'section-top', this.#count, this.#delete);
    this.root.append(
      make('h1', '', 'Events'),
      this.#filters.root,
      this.#result,
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
    void this.#reload();
  }

  close(): void {
    this.#opened = false;
  }

  show(): void {
    const { clientState } = this.context;
    this.root.classList.toggle('disconnected', isDisconnected(clientState));
    const groups =
      clientState.status?.redundancyGroups.map(({ name, groupId }) => [name, groupId] as const) ?? [];
    const upses = clientState.status?.ups.map(({ label, groupId }) => [label, groupId] as const) ?? [];
    this.#filters.setSources([...upses, ...groups, ['the daemon', 'daemon']]);
    this.#addLiveEvents();
    this.#draw();
    const isBehind = clientState.connection === 'polling' || clientState.streamCount !== this.#streamSeen;
    if (!isBehind || performance.now() - this.#polledMs < pollMs) return;
    this.#polledMs = performance.now();
    void this.#load('', false);
  }

  /** Adds each event of the stream once, so that a deleted one does not return. */
  #addLiveEvents(): void {
    const { clientState } = this.context;
    const missed = clientState.liveCount - this.#liveSeen;
    if (missed === 0) return;
    this.#liveSeen = clientState.liveCount;
    const now = nowSeconds(clientState);
    const fresh = clientState.liveEvents.slice(-missed);
    this.#list.add(
      this.#withNames(fresh).filter(({ category, ts }) => this.#filters.admits(tierOf(category), ts, now)),
    );
  }

  async #reload(): Promise<void> {
    this.#requestNumber++;
    this.#result.hidden = true;
    this.#list.clear();
    this.#table.clear();
    this.#complete = false;
    this.#liveSeen = this.context.clientState.liveCount;
    this.#polledMs = performance.now();
    await this.#load('', true);
  }

  async #loadOlder(): Promise<void> {
    this.#older.disabled = true;
    await this.#load(this.#list.cursor(), true);
    this.#older.disabled = false;
  }

  /** Loads one page, the newest without a `cursor`. `last`: loads nothing older, so a page that is not full is the last one. */
  async #load(cursor: string, last: boolean): Promise<void> {
    const request = this.#requestNumber;
    const { streamCount } = this.context.clientState;
    const query = `${this.#filters.query(nowSeconds(this.context.clientState))}&limit=${String(pageRows)}${cursor}`;
    try {
      const { events } = await this.context.api.get<EventsBody>(`/api/v1/events?${query}`);
      if (request !== this.#requestNumber) return;
      if (cursor === '') this.#streamSeen = streamCount;
      const [oldest] = events;
      // More than one page is new: the list would have a gap.
      if (!last && events.length === pageRows && oldest !== undefined && !this.#list.has(oldest))
        return await this.#reload();
      this.#list.add(this.#withNames(events));
      if (last && events.length < pageRows) this.#complete = true;
      setText(this.#problem, '');
    } catch (error) {
      setText(this.#problem, `The events cannot be shown: ${requestErrorText(error)}`);
    }
    this.#draw();
  }

  #draw(): void {
    if (!this.#opened) return;
    const filter = this.#filters.filter();
    const shown = this.#list.rows().filter((row) => matches(row, filter));
    const { mayControl } = this.context.api.session;
    this.#table.show(shown, mayControl ? (row) => this.#isDeletable(row) : null);
    const narrowed = shown.length === this.#list.size ? '' : `${String(shown.length)} of `;
    const whole = this.#complete ? '' : ' loaded; older ones can be loaded below';
    const full = this.#list.size >= maxRows;
    setText(
      this.#count,
      full
        ? `${narrowed}${countText(this.#list.size, 'event')}: the limit of this page. Choose a shorter time.`
        : this.#list.size === 0 && this.#complete
          ? 'No event matches.'
          : `${narrowed}${countText(this.#list.size, 'event')}${whole}`,
    );
    this.#table.root.hidden = shown.length === 0;
    this.#older.hidden = this.#complete || full || this.#list.size === 0;
    const selected = this.#table.selected().length;
    this.#delete.hidden = !mayControl;
    this.#delete.disabled = selected === 0;
    setText(this.#delete, selected === 0 ? 'Delete selected' : `Delete ${String(selected)}`);
    this.#problem.hidden = this.#problem.textContent === '';
  }

  /** Replaces the id of a redundancy group by its name. */
  #withNames(rows: readonly EventRow[]): readonly EventRow[] {
    const groups = this.context.clientState.status?.redundancyGroups ?? [];
    return rows.map((row) => {
      const group = groups.find(({ groupId }) => groupId === row.source);
      return group === undefined ? row : { ...row, label: group.name };
    });
  }

  /** Audit rows cannot be deleted, and a row of no UPS has no route (specification/api-writes.md#event-deletion). */
  #isDeletable({ category, source }: EventRow): boolean {
    return (
      category !== 'audit' &&
      (this.context.clientState.status?.ups.some(({ groupId }) => groupId === source) ?? false)
    );
  }

  async #deleteSelected(): Promise<void> {
    const rows = this.#table.selected();
    try {
      const deleted = await deleteEvents(this.context.api, rows);
      if (deleted === null) return;
      this.#table.clearSelection();
      await this.#reload();
      setText(this.#result, `${countText(deleted, 'event')} deleted.`);
      this.#result.hidden = false;
    } catch (error) {
      setText(this.#problem, `Not all events were deleted: ${requestErrorText(error)}`);
      this.#draw();
    }
  }
}
