// The outages: a list, and one of them with its plan beside what each step took, and its timeline.
import { durationInWords } from '../../../shared/domain/duration.js';
import type { OutageBody, OutageRow, OutagesBody } from '../../../shared/http/outage-bodies.js';
import { timelineOf } from '../../../shared/domain/outage-timeline.js';
import { requestErrorText } from '../../daemon/api-client.js';
import { isDisconnected } from '../../daemon/client-state.js';
import { button, make, setText } from '../../ui/dom.js';
import {
  countText,
  eventInWords,
  formatDateTime,
  formatTime,
  outageCauses,
  phaseInWords,
} from '../../ui/phrases.js';
import { saveFile } from '../../ui/save-file.js';
import { table } from '../../ui/table.js';
import type { View, ViewContext } from '../view.js';

const pageRows = 100;
/** An outage that lasts changes; the evidence is written each minute. */
const reloadMs = 5_000;

export class Outages implements View {
  readonly root = make('div', 'outages-view');
  readonly #heading = make('h1');
  readonly #problem = make('p', 'problem');
  readonly #content = make('div');
  /** The id in the address; empty for the list. */
  #id = '';
  #requestNumber = 0;
  #loadedMs = 0;
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
    this.#isOpenEnded = true;
    void this.#load();
  }

  show(): void {
    this.root.classList.toggle('disconnected', isDisconnected(this.context.clientState));
    if (this.#isOpenEnded && performance.now() - this.#loadedMs >= reloadMs) void this.#load();
  }

  async #load(): Promise<void> {
    const request = ++this.#requestNumber;
    this.#loadedMs = performance.now();
    const { api } = this.context;
    try {
      const found =
        this.#id === ''
          ? await api.get<OutagesBody>(`/api/v1/outages?limit=${String(pageRows)}`)
          : await api.get<OutageBody>(`/api/v1/outages/${this.#id}`);
      if (request !== this.#requestNumber) return;
      const shown = 'outages' in found ? this.#list(found.outages) : this.#detail(found);
      this.#content.replaceChildren(...shown);
      setText(this.#problem, '');
    } catch (error) {
      setText(this.#problem, `The outages cannot be shown: ${requestErrorText(error)}`);
    }
    this.#problem.hidden = this.#problem.textContent === '';
  }

  #list(outages: readonly OutageRow[]): readonly Node[] {
    if (outages.length === 0)
      return [make('p', 'quiet', 'No outage yet. From the next one on, each time on battery is kept here.')];
    const rows = [...outages].reverse().map((one) => {
      const link = make('a', '', `${one.label}, ${formatDateTime(one.start)}`);
      link.href = `#/outages/${String(one.id)}`;
      return [
        link,
        one.durationSeconds === null ? 'it lasts' : durationInWords(one.durationSeconds),
        one.lowestCharge === null ? '' : `${String(one.lowestCharge)} %`,
        outageCauses[one.cause],
        one.shutdowns.map(({ why, dryRun }) => `${why}${dryRun ? ' (dry run)' : ''}`).join('; ') || 'none',
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
      facts(outage),
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
    const save = (text: string, format: 'html' | 'csv'): HTMLButtonElement =>
      button(text, '', () => {
        const path = `/api/v1/outages/${String(id)}?format=${format}`;
        saveFile(this.context.api, path, `outage-${String(id)}.${format}`).catch((error: unknown) => {
          setText(this.#problem, `The file cannot be saved: ${requestErrorText(error)}`);
          this.#problem.hidden = false;
        });
      });
    return make('p', 'buttons', save('Save as a page', 'html'), save('Save as CSV', 'csv'));
  }
}

function sameDay(a: number, b: number): boolean {
  return formatDateTime(a).slice(0, 10) === formatDateTime(b).slice(0, 10);
}

function facts(outage: OutageBody): Node {
  const { start, end, endSeen, lowestCharge, lowestRuntimeSeconds, energyWh, interruptions } = outage;
  const known: readonly (readonly [string, string | null])[] = [
    ['Cause', outageCauses[outage.cause]],
    ['Duration', end === null ? 'it lasts' : durationInWords(end - start)],
    ['End', end === null ? null : `${formatDateTime(end)}${endSeen ? '' : ', the last reading on battery'}`],
    ['Lowest charge', lowestCharge === null ? null : `${String(lowestCharge)} %`],
    ['Lowest runtime', lowestRuntimeSeconds === null ? null : durationInWords(lowestRuntimeSeconds)],
    [
      'Energy from the battery',
      energyWh === null
        ? null
        : `${energyWh.toFixed(1)} Wh${outage.energyEstimated ? ' (estimated from the load)' : ''}`,
    ],
    ['Power back for less than a minute', interruptions === 0 ? null : countText(interruptions, 'time')],
  ];
  const list = make('dl', 'facts');
  for (const [name, value] of known)
    if (value !== null) list.append(make('div', '', make('dt', '', name), make('dd', '', value)));
  return list;
}

function shutdown(one: OutageBody['shutdowns'][number]): readonly Node[] {
  const state = one.cancelled !== '' ? `Cancelled: ${one.cancelled}.` : one.over ? '' : 'Not over.';
  return [
    make('h2', '', `Shutdown of ${one.label}${one.dryRun ? ' (dry run)' : ''}`),
    make(
      'p',
      '',
      `${formatTime(one.startedAt)}: ${one.why}. Expected ${durationInWords(one.estimateSeconds)}, at most ${durationInWords(one.boundSeconds)}. ${state}`.trim(),
    ),
    table(
      `Steps of the shutdown of ${one.label}`,
      ['Phase', 'Target', 'Took', 'Expected', 'At most', 'Result'],
      one.steps.map((step) => [
        phaseInWords(step.phase),
        step.target,
        step.startedAt === null || step.endedAt === null
          ? ''
          : `${(step.endedAt - step.startedAt).toFixed(1)} s`,
        `${step.estimateSeconds.toFixed(1)} s`,
        `${step.budgetSeconds.toFixed(1)} s`,
        step.reason === '' ? step.state : `${step.state}: ${step.reason}`,
      ]),
    ),
  ];
}
