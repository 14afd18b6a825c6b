// The history of one UPS as charts: one span of time for all, asked for again as the daemon writes on.
import type { EventRow, EventsBody, HistoryBody } from '../../../shared/http/bodies.js';
import type { UpsRow } from '../../../shared/domain/status-model.js';
import { onBattery } from '../../../shared/domain/wording.js';
import { happeningsOf } from '../../charts/happenings.js';
import type { Level } from '../../charts/history-chart.js';
import { HistoryChart } from '../../charts/history-chart.js';
import { metricKinds } from '../../charts/metric-kinds.js';
import type { MetricKind } from '../../charts/metric-kinds.js';
import type { Range } from '../../charts/ranges.js';
import { ranges } from '../../charts/ranges.js';
import { nowSeconds } from '../../daemon/knowledge.js';
import { refusalText } from '../../daemon/requests.js';
import { button, make, say, setAttribute } from '../../ui/dom.js';
import type { Tools } from '../view.js';

/** A chart has a thousand pixels at most; a phone fewer, but its owner may turn it. */
const points = 700;
const mostMarks = 1000;

export class Histories {
  readonly #buttons = new Map<Range, HTMLButtonElement>();
  readonly #message = make('p', 'quiet');
  readonly #charts = make('div', 'charts');
  readonly root: HTMLElement;
  readonly #made = new Map<MetricKind, HistoryChart>();
  #range = ranges[0];
  #row: UpsRow | null = null;
  #askedMs = -Infinity;
  #asking = 0;

  constructor(readonly tools: Tools) {
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
    if (row.groupId !== this.#row?.groupId) this.#begin();
    this.#row = row;
    for (const [range, one] of this.#buttons)
      setAttribute(one, 'aria-pressed', String(range === this.#range));
    const { contact } = this.tools.known;
    if (contact === 'lost' || performance.now() - this.#askedMs < this.#range.askEveryMs) return;
    this.#askedMs = performance.now();
    void this.#ask(row, this.#range);
  }

  close(): void {
    this.#begin();
    this.#row = null;
  }

  #begin(): void {
    for (const chart of this.#made.values()) chart.end();
    this.#made.clear();
    this.#charts.replaceChildren();
    this.#askedMs = -Infinity;
    this.#asking++;
  }

  #choose(range: Range): void {
    this.#range = range;
    this.#askedMs = -Infinity;
    this.tools.refresh();
  }

  /** Answers of a question that is no longer asked are thrown away. */
  async #ask(row: UpsRow, range: Range): Promise<void> {
    const turn = ++this.#asking;
    const to = Math.floor(nowSeconds(this.tools.known));
    const from = to - range.seconds;
    const path = `/api/v1/ups/${encodeURIComponent(row.groupId)}/history?from=${String(from)}&to=${String(to)}&points=${String(points)}&metric=`;
    try {
      const events = await this.#events(row, from, to);
      let any = false;
      for (const kind of metricKinds) {
        const body = await this.tools.requests.get<HistoryBody>(`${path}${kind.metric}`);
        if (turn !== this.#asking) return;
        any ||= body.data.length > 0;
        this.#draw(kind, body, events, range);
      }
      say(this.#message, any ? '' : `Nothing was recorded in ${range.title}.`);
    } catch (error) {
      say(this.#message, `The history cannot be shown: ${refusalText(error)}`);
    }
    this.#message.hidden = this.#message.textContent === '';
  }

  async #events(row: UpsRow, from: number, to: number): Promise<readonly EventRow[]> {
    const path = `/api/v1/events?verbosity=0&from=${String(from)}&to=${String(to)}&limit=${String(mostMarks)}`;
    const { events } = await this.tools.requests.get<EventsBody>(path);
    return events.filter(({ source }) => source === row.groupId);
  }

  #draw(kind: MetricKind, body: HistoryBody, events: readonly EventRow[], range: Range): void {
    const row = this.#row;
    if (row === null) return;
    let chart = this.#made.get(kind);
    if (chart === undefined && body.data.length === 0) return;
    if (chart === undefined) {
      chart = new HistoryChart(kind);
      this.#made.set(kind, chart);
      const order = metricKinds.filter((one) => this.#made.has(one));
      this.#charts.insertBefore(chart.root, this.#charts.children[order.indexOf(kind)] ?? null);
    }
    const stillOn = { outage: onBattery(row), unseen: row.connectionState === 'FAILED' };
    chart.show(body, happeningsOf(events, body, stillOn), levelsOf(kind, row), range.title);
  }
}

function levelsOf({ metric }: MetricKind, { powerQuality }: UpsRow): readonly Level[] {
  if (metric !== 'voltage') return [];
  const { warningLow, warningHigh } = powerQuality;
  return [
    ...(warningLow === null ? [] : [{ value: warningLow, text: `low below ${String(warningLow)} V` }]),
    ...(warningHigh === null ? [] : [{ value: warningHigh, text: `high above ${String(warningHigh)} V` }]),
  ];
}
