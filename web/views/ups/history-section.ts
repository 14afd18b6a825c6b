// The history of one UPS as charts with a common time span, refreshed as the daemon writes new values.
import type { EventRow, EventsBody, HistoryBody } from '../../../shared/http/bodies.js';
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import { onBattery } from '../../../shared/domain/status/wording.js';
import { annotationsOf, marksBegin } from '../../charts/annotations.js';
import type { ChartLevel } from '../../charts/history-chart.js';
import { HistoryChart } from '../../charts/history-chart.js';
import { metricKinds } from '../../charts/metric-kinds.js';
import type { MetricKind } from '../../charts/metric-kinds.js';
import type { Range } from '../../charts/ranges.js';
import { ranges } from '../../charts/ranges.js';
import { nowSeconds } from '../../daemon/client-state.js';
import { requestErrorText } from '../../daemon/api-client.js';
import { Refresh } from '../../daemon/refresh.js';
import { button, make, setText, setAttribute } from '../../ui/dom.js';
import { formatDateTime } from '../../ui/phrases.js';
import type { ViewContext } from '../view.js';

/** About one point per pixel of a wide chart. */
const points = 700;
const maxMarks = 1000;

interface Marks {
  /** Those of the UPS, oldest first. */
  readonly events: readonly EventRow[];
  /** Unix seconds; earlier events are not known. */
  readonly since: number;
}

export class HistorySection {
  readonly #buttons = new Map<Range, HTMLButtonElement>();
  readonly #message = make('p', 'quiet');
  readonly #charts = make('div', 'charts');
  readonly root: HTMLElement;
  readonly #chartOf = new Map<MetricKind, HistoryChart>();
  readonly #refresh = new Refresh();
  #range = ranges[0];
  #row: UpsRow | null = null;

  constructor(readonly context: ViewContext) {
    const choice = make('div', 'choice');
    choice.setAttribute('role', 'group');
    choice.setAttribute('aria-label', 'Time shown');
    for (const range of ranges) {
      const one = button(range.name, '', () => this.#choose(range));
      one.title = `Show ${range.title}`;
      this.#buttons.set(range, one);
      choice.append(one);
    }
    this.root = make('section', '', make('div', 'section-top', make('h2', '', 'History'), choice));
    this.root.append(this.#message, this.#charts);
  }

  show(row: UpsRow): void {
    if (row.groupId !== this.#row?.groupId) this.#reset();
    this.#row = row;
    for (const [range, one] of this.#buttons)
      setAttribute(one, 'aria-pressed', String(range === this.#range));
    const { connection } = this.context.clientState;
    if (connection !== 'lost' && this.#refresh.isDue(this.#range.refreshMs))
      void this.#load(row, this.#range);
  }

  close(): void {
    this.#reset();
    this.#row = null;
  }

  #reset(): void {
    for (const chart of this.#chartOf.values()) chart.end();
    this.#chartOf.clear();
    this.#charts.replaceChildren();
    this.#refresh.forget();
  }

  #choose(range: Range): void {
    this.#range = range;
    this.#refresh.soon();
    this.context.refresh();
  }

  /** Ignores the answers of an earlier request. */
  async #load(row: UpsRow, range: Range): Promise<void> {
    const isCurrent = this.#refresh.begin();
    const to = Math.floor(nowSeconds(this.context.clientState));
    const from = to - range.seconds;
    const path = `/api/v1/ups/${encodeURIComponent(row.groupId)}/history?from=${String(from)}&to=${String(to)}&points=${String(points)}&metric=`;
    try {
      const marks = await this.#marks(row, from, to);
      let any = false;
      for (const kind of metricKinds) {
        const body = await this.context.api.get<HistoryBody>(`${path}${kind.metric}`);
        if (!isCurrent()) return;
        any ||= body.data.length > 0;
        this.#draw(kind, body, marks, range);
      }
      const cut =
        marks.since > from ? `Outages and events before ${formatDateTime(marks.since)} are not marked.` : '';
      setText(this.#message, any ? cut : `Nothing was recorded in ${range.title}.`);
    } catch (error) {
      if (!isCurrent()) return;
      this.#refresh.failed();
      setText(this.#message, `The history cannot be shown: ${requestErrorText(error)}`);
    }
    this.#message.hidden = this.#message.textContent === '';
  }

  async #marks(row: UpsRow, from: number, to: number): Promise<Marks> {
    const path = `/api/v1/events?verbosity=0&from=${String(from)}&to=${String(to)}&limit=${String(maxMarks)}`;
    const { events } = await this.context.api.get<EventsBody>(path);
    const own = events.filter(({ source }) => source === row.groupId);
    return { events: own, since: marksBegin(events, maxMarks, from) };
  }

  #draw(kind: MetricKind, body: HistoryBody, marks: Marks, range: Range): void {
    const row = this.#row;
    if (row === null) return;
    let chart = this.#chartOf.get(kind);
    if (chart === undefined && body.data.length === 0) return;
    if (chart === undefined) {
      chart = new HistoryChart(kind);
      this.#chartOf.set(kind, chart);
      const order = metricKinds.filter((one) => this.#chartOf.has(one));
      this.#charts.insertBefore(chart.root, this.#charts.children[order.indexOf(kind)] ?? null);
    }
    const open = { outage: onBattery(row), disconnected: row.connectionState === 'FAILED' };
    const span = { from: Math.max(body.from, marks.since), to: body.to };
    chart.show(body, annotationsOf(marks.events, span, open), levelsOf(kind, row), range.title);
  }
}

function levelsOf({ metric }: MetricKind, { powerQuality }: UpsRow): readonly ChartLevel[] {
  if (metric !== 'voltage') return [];
  const { warningLow, warningHigh } = powerQuality;
  return [
    ...(warningLow === null ? [] : [{ value: warningLow, text: `low below ${String(warningLow)} V` }]),
    ...(warningHigh === null ? [] : [{ value: warningHigh, text: `high above ${String(warningHigh)} V` }]),
  ];
}
