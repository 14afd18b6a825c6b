// Reports of a day, a week or a month: what needs attention, the outages, and each UPS. The words are those of the message.
import type { PeriodName } from '../../../shared/domain/base/local-calendar.js';
import type { Report, UpsReport } from '../../../shared/domain/outage/report.js';
import {
  concernsOf,
  factsOf,
  periodNames,
  plotOf,
  summaryOf,
} from '../../../shared/domain/outage/report-wording.js';
import { chargeText, lastedText } from '../../../shared/domain/outage/outage-wording.js';
import { requestErrorText } from '../../daemon/api-client.js';
import { isDisconnected } from '../../daemon/client-state.js';
import { Refresh } from '../../daemon/refresh.js';
import { make, setAttribute, setText } from '../../ui/dom.js';
import { formatDateTime } from '../../ui/phrases.js';
import { factList } from '../../ui/facts.js';
import { saveButtons } from '../save-file.js';
import { table } from '../../ui/table.js';
import type { View, ViewContext } from '../view.js';

const periods = [
  ['day', 'Day'],
  ['week', 'Week'],
  ['month', 'Month'],
] as const satisfies readonly (readonly [PeriodName, string])[];

export class ReportsView implements View {
  readonly root = make('div', 'reports-view');
  readonly #heading = make('h1');
  readonly #problem = make('p', 'problem');
  readonly #content = make('div');
  readonly #links = new Map<PeriodName, HTMLAnchorElement>();
  readonly #before = make('a', 'button plain', 'Earlier');
  readonly #after = make('a', 'button plain', 'Later');
  readonly #refresh = new Refresh();
  #period: PeriodName = 'week';
  /** A day of the period; empty for the last one that has ended, or the current one where nothing was read in that. */
  #date = '';

  constructor(readonly context: ViewContext) {
    const choice = make('div', 'choice');
    choice.setAttribute('role', 'group');
    choice.setAttribute('aria-label', 'Period');
    for (const [period, name] of periods) {
      const link = make('a', 'button plain', name);
      link.href = `#/reports/${period}`;
      this.#links.set(period, link);
      choice.append(link);
    }
    choice.append(this.#before, this.#after);
    this.#problem.setAttribute('role', 'alert');
    this.root.append(make('div', 'section-top', this.#heading, choice), this.#problem, this.#content);
  }

  title(): string {
    return periodNames[this.#period];
  }

  open(rest: string): void {
    const [period = '', date = ''] = rest.split('/');
    this.#period = periods.find(([name]) => name === period)?.[0] ?? 'week';
    this.#date = /^(?:\d{4}-\d\d-\d\d|current)$/.test(date) ? date : '';
    setText(this.#heading, this.title());
    for (const [name, link] of this.#links)
      setAttribute(link, 'aria-current', name === this.#period ? 'true' : null);
    this.#content.replaceChildren();
    this.#before.hidden = true;
    this.#after.hidden = true;
    this.#refresh.forget();
    this.show();
  }

  show(): void {
    const disconnected = isDisconnected(this.context.clientState);
    this.root.classList.toggle('disconnected', disconnected);
    // A report that is shown stays as it is.
    if (!disconnected && this.#refresh.isDue(Infinity)) void this.#load();
  }

  #path(format: 'json' | 'csv' | 'html'): string {
    const date = this.#date === '' ? '' : `&date=${this.#date}`;
    return `/api/v1/reports/${this.#period}?format=${format}${date}`;
  }

  #read(): Promise<Report> {
    return this.context.api.get<Report>(this.#path('json'));
  }

  async #load(): Promise<void> {
    const isCurrent = this.#refresh.begin();
    try {
      let report = await this.#read();
      if (!isCurrent()) return;
      // On the first day the last period says nothing.
      if (this.#date === '' && report.ups.every(({ readSeconds }) => readSeconds === 0)) {
        this.#date = 'current';
        report = await this.#read();
        if (!isCurrent()) return;
      }
      this.#draw(report);
      setText(this.#problem, '');
    } catch (error) {
      if (!isCurrent()) return;
      this.#refresh.failed();
      setText(this.#problem, `The report cannot be shown: ${requestErrorText(error)}`);
    }
    this.#problem.hidden = this.#problem.textContent === '';
  }

  #draw(report: Report): void {
    const { period, title, before, after, outages, ups, currency } = report;
    setText(this.#heading, `${periodNames[period]}, ${title}`);
    this.#before.href = `#/reports/${period}/${before}`;
    this.#before.hidden = false;
    this.#after.href = `#/reports/${period}/${after ?? ''}`;
    this.#after.hidden = after === null;
    this.#content.replaceChildren(
      make('p', 'lead', `${summaryOf(report)}.`),
      concerns(report),
      ...(outages.length === 0 ? [] : [make('h2', '', 'Outages'), outageTable(report)]),
      make('div', 'charts', ...ups.map((one) => upsPanel(one, currency))),
      this.#downloads(report),
    );
  }

  #downloads({ title }: Report): Node {
    const name = `report-${title.replaceAll(/[^\w-]+/g, '-')}`;
    return saveButtons(this.context.api, (format) => this.#path(format), name, this.#problem);
  }
}

function concerns(report: Report): HTMLElement {
  const found = concernsOf(report);
  if (found.length === 0) return make('p', 'quiet', 'Nothing needs attention.');
  const list = make('ul', '', ...found.map((text) => make('li', '', text)));
  return make('section', 'panel', make('h2', '', 'Needs attention'), list);
}

function outageTable({ outages }: Report): HTMLElement {
  const rows = outages.map((outage) => {
    const link = make('a', '', `${outage.label}, ${formatDateTime(outage.start)}`);
    link.href = `#/outages/${String(outage.id)}`;
    return [link, lastedText(outage), chargeText(outage.lowestCharge), outage.shutdowns.join('; ') || 'none'];
  });
  return table('Outages of the period', ['Outage', 'Duration', 'Lowest charge', 'Shutdown'], rows);
}

function upsPanel(ups: UpsReport, currency: string): HTMLElement {
  const list = factList(factsOf(ups, currency), 'facts wide');
  const panel = make('section', 'panel', make('h2', '', ups.label), list);
  const plot = plotOf(ups);
  if (plot !== null) {
    const blocks = make('span', 'plot', plot.plot);
    blocks.setAttribute('role', 'img');
    const [first, last] = [ups.steps[0]?.label ?? '', ups.steps.at(-1)?.label ?? ''];
    blocks.setAttribute('aria-label', `${plot.name}, ${first} to ${last}`);
    panel.append(make('p', '', `${plot.name}, ${first} to ${last}`), blocks);
  }
  return panel;
}
