// The outages: a list, and one of them with its plan beside what each step took, and its timeline.
import type { OutageBody, OutageRow, OutagesBody } from '../../../shared/http/outage-bodies.js';
import { eventInWords } from '../../../shared/domain/status/event-names.js';
import { timelineOf } from '../../../shared/domain/outage/outage-timeline.js';
import { countText } from '../../../shared/domain/base/format.js';
import {
  chargeText,
  lastedText,
  outageCauses,
  outageFacts,
  shutdownName,
  shutdownReason,
  shutdownSummary,
  stepCells,
  stepColumns,
} from '../../../shared/domain/outage/outage-wording.js';
import { requestErrorText } from '../../daemon/api-client.js';
import { isDisconnected } from '../../daemon/client-state.js';
import { Refresh } from '../../daemon/refresh.js';
import { make, setText } from '../../ui/dom.js';
import { formatDateTime, formatTime, phaseInWords } from '../../ui/phrases.js';
import { factList } from '../../ui/facts.js';
import { saveButtons } from '../save-file.js';
import { table } from '../../ui/table.js';
import type { View, ViewContext } from '../view.js';

const pageRows = 100;
/** An outage that lasts changes; the evidence is written each minute. */
const reloadMs = 5_000;

export class OutagesView implements View {
  readonly root = make('div', 'outages-view');
  readonly #heading = make('h1');
  readonly #problem = make('p', 'problem');
  readonly #content = make('div');
  readonly #refresh = new Refresh();
  /** The id in the address; empty for the list. */
  #id = '';
  /** What is shown: drawing the same again would take the focus away. */
  #shown = '';
  /** What is shown may still change. */
  #isOpenEnded = true;

  constructor(readonly context: ViewContext) {
    this.#problem.setAttribute('role', 'alert');
    this.root.append(this.#heading, this.#problem, this.#content);
  }

  title(): string {
    return this.#id === '' ? 'Outages' : `Outage ${this.#id}`;
  }

  open(rest: string): void {
    this.#id = /^\d{1,15}$/.test(rest) ? rest : '';
    setText(this.#heading, this.title());
    this.#content.replaceChildren();
    this.#shown = '';
    this.#isOpenEnded = true;
    this.#refresh.forget();
    this.show();
  }

  show(): void {
    this.root.classList.toggle('disconnected', isDisconnected(this.context.clientState));
    if (this.#isOpenEnded && this.#refresh.isDue(reloadMs)) void this.#load();
  }

  async #load(): Promise<void> {
    const isCurrent = this.#refresh.begin();
    const { api } = this.context;
    try {
      const found =
        this.#id === ''
          ? await api.get<OutagesBody>(`/api/v1/outages?limit=${String(pageRows)}`)
          : await api.get<OutageBody>(`/api/v1/outages/${this.#id}`);
      if (!isCurrent()) return;
      const text = JSON.stringify({ ...found, generatedAt: 0 });
      if (text !== this.#shown)
        this.#content.replaceChildren(
          ...('outages' in found ? this.#list(found.outages) : this.#detail(found)),
        );
      this.#shown = text;
      setText(this.#problem, '');
    } catch (error) {
      if (!isCurrent()) return;
      setText(this.#problem, `The outages cannot be shown: ${requestErrorText(error)}`);
    }
    this.#problem.hidden = this.#problem.textContent === '';
  }

  #list(outages: readonly OutageRow[]): readonly Node[] {
    if (outages.length === 0)
      return [make('p', 'quiet', 'No outage yet. From the next one on, each time on battery is kept here.')];
    const rows = [...outages].reverse().map((outage) => {
      const link = make('a', '', `${outage.label}, ${formatDateTime(outage.start)}`);
      link.href = `#/outages/${String(outage.id)}`;
      return [
        link,
        lastedText(outage),
        chargeText(outage.lowestCharge),
        outageCauses[outage.cause],
        outage.shutdowns.map(shutdownReason).join('; ') || 'none',
      ];
    });
    const count = countText(outages.length, 'outage');
    return [
      make('p', 'quiet', outages.length < pageRows ? count : `The newest ${count}`),
      table('Outages, newest first', ['Outage', 'Duration', 'Lowest charge', 'Cause', 'Shutdown'], rows),
    ];
  }

  #detail(outage: OutageBody): readonly Node[] {
    this.#isOpenEnded = outage.end === null || outage.shutdowns.some(({ over }) => !over);
    setText(this.#heading, `${outage.label}: outage of ${formatDateTime(outage.start)}`);
    const back = make('a', '', 'All outages');
    back.href = '#/outages';
    return [
      make('p', '', back),
      factList(outageFacts(outage, formatDateTime)),
      this.#downloads(outage),
      ...outage.shutdowns.flatMap(shutdown),
      make('h2', '', 'Timeline'),
      table(
        'Timeline',
        ['Time', 'What', 'Detail'],
        timelineOf(outage).map(({ ts, kind, subject, detail }) => [
          sameDay(ts, outage.start) ? formatTime(ts) : formatDateTime(ts),
          kind === 'event' ? eventInWords(subject) : kind === 'step' ? phaseInWords(subject) : subject,
          detail,
        ]),
      ),
    ];
  }

  #downloads({ id }: OutageBody): Node {
    const path = (format: string): string => `/api/v1/outages/${String(id)}?format=${format}`;
    return saveButtons(this.context.api, path, `outage-${String(id)}`, this.#problem);
  }
}

function sameDay(a: number, b: number): boolean {
  return formatDateTime(a).slice(0, 10) === formatDateTime(b).slice(0, 10);
}

function shutdown(record: OutageBody['shutdowns'][number]): readonly Node[] {
  return [
    make('h2', '', shutdownName(record)),
    make('p', '', shutdownSummary(record, formatTime)),
    table(
      `Steps of the shutdown of ${record.label}`,
      stepColumns,
      record.steps.map((step) => stepCells({ ...step, phase: phaseInWords(step.phase) }, formatTime)),
    ),
  ];
}
