// The health of the battery: its score with the terms, the forecast with its band, and the discharges over each other.
import { outageCauses } from '../../../shared/domain/outage/outage-wording.js';
import { durationInWords } from '../../../shared/domain/base/duration.js';
import type { BatteryHealth } from '../../../shared/domain/ups/battery/health.js';
import { termNames } from '../../../shared/domain/ups/battery/health.js';
import { replacementInWords, scoreInWords, termTitles } from '../../../shared/domain/ups/battery/wording.js';
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import { quantity } from '../../../shared/domain/status/wording.js';
import type {
  BatteryHealthBody,
  BatteryHistoryBody,
  DischargeRow,
} from '../../../shared/http/battery-bodies.js';
import { DischargeChart } from '../../charts/discharge-chart.js';
import { ScoreChart } from '../../charts/score-chart.js';
import { requestErrorText } from '../../daemon/api-client.js';
import { Refresh } from '../../daemon/refresh.js';
import { make, setText } from '../../ui/dom.js';
import { formatDateTime } from '../../ui/phrases.js';
import { table } from '../../ui/table.js';
import type { ViewContext } from '../view.js';

/** It is assessed once an hour. */
const refreshMs = 60_000;

export class BatteryHealthSection {
  readonly #message = make('p', 'quiet');
  readonly #score = make('p', 'battery-score');
  readonly #replacement = make('p');
  readonly #estimate = make('p');
  readonly #terms = make('ul', 'battery-terms');
  readonly #scores = new ScoreChart();
  readonly #curves = new DischargeChart();
  readonly #rows = make('div');
  readonly #content = make(
    'div',
    'battery-parts',
    make('div', 'panel', this.#score, this.#replacement, this.#estimate, this.#terms),
    make('div', 'charts', this.#scores.root, this.#curves.root),
    this.#rows,
  );
  readonly root = make('section', '', make('h2', '', 'Battery'), this.#message, this.#content);
  readonly #refresh = new Refresh();
  #groupId = '';

  constructor(readonly context: ViewContext) {
    this.#content.hidden = true;
  }

  close(): void {
    this.#scores.end();
    this.#curves.end();
    this.#content.hidden = true;
    this.#groupId = '';
    this.#refresh.forget();
  }

  show({ groupId }: UpsRow): void {
    if (groupId !== this.#groupId) this.close();
    this.#groupId = groupId;
    const { connection } = this.context.clientState;
    if (connection !== 'lost' && this.#refresh.isDue(refreshMs)) void this.#load(groupId);
  }

  /** Ignores the answers of an earlier request. */
  async #load(groupId: string): Promise<void> {
    const isCurrent = this.#refresh.begin();
    const { api } = this.context;
    const path = `/api/v1/ups/${encodeURIComponent(groupId)}/battery-health`;
    try {
      const [health, history] = await Promise.all([
        api.get<BatteryHealthBody>(path),
        api.get<BatteryHistoryBody>(`${path}/history`),
      ]);
      if (!isCurrent()) return;
      setText(
        this.#message,
        health.batteryHealth === null ? 'The battery is not assessed, or there is no reading yet.' : '',
      );
      if (health.batteryHealth === null) this.#content.hidden = true;
      else this.#draw(health.batteryHealth, history);
    } catch (error) {
      if (!isCurrent()) return;
      this.#refresh.failed();
      setText(this.#message, `The health of the battery cannot be shown: ${requestErrorText(error)}`);
    }
    this.#message.hidden = this.#message.textContent === '';
  }

  #draw(health: BatteryHealth, { days, discharges }: BatteryHistoryBody): void {
    // A chart takes its width from the page.
    this.#content.hidden = false;
    setText(this.#score, `Health ${scoreInWords(health)}`);
    setText(this.#replacement, `Replacement: ${replacementInWords(health.replacement)}.`);
    setText(this.#estimate, estimateText(health));
    this.#estimate.hidden = health.runtimeEstimate === null;
    this.#terms.replaceChildren(...termNames.map((name) => termItem(termTitles[name], health.terms[name])));
    this.#scores.root.hidden = !days.score.some((score) => score !== null);
    if (this.#scores.root.hidden) this.#scores.end();
    else this.#scores.show(days, health);
    this.#curves.show(discharges.filter(({ series }) => series === health.series.number));
    this.#rows.replaceChildren(dischargeTable(discharges));
  }
}

function estimateText({ runtimeEstimate }: BatteryHealth): string {
  if (runtimeEstimate === null) return '';
  const { fullSeconds, errorSeconds, loadPercent } = runtimeEstimate;
  const load = quantity(Math.round(loadPercent), '%');
  return `By its discharges a full battery lasts ${roughly(fullSeconds)} at a load of ${load}, give or take ${roughly(errorSeconds)}.`;
}

/** Seconds would claim more than is known. */
function roughly(seconds: number): string {
  return durationInWords(seconds < 120 ? seconds : Math.round(seconds / 60) * 60);
}

function termItem(title: string, { value, weight, detail }: BatteryHealth['terms']['capacity']): HTMLElement {
  const fill = make('div', value !== null && value < 50 ? 'fill due' : 'fill');
  fill.style.width = `${String(value ?? 0)}%`;
  const bar = make('div', 'term-bar', fill);
  bar.setAttribute('aria-hidden', 'true');
  const shown = value === null ? 'not known' : `${String(Math.round(value))} of 100`;
  return make(
    'li',
    value === null ? 'unknown' : '',
    make('span', 'term-name', title),
    bar,
    make('span', 'term-value', shown),
    make('span', 'quiet term-detail', `${detail}. Weight ${String(Math.round(weight * 100))} %.`),
  );
}

function dischargeTable(discharges: readonly DischargeRow[]): HTMLElement {
  if (discharges.length === 0)
    return make(
      'p',
      'quiet',
      'No discharge yet. From the next one on, each time on battery is kept here with its curve.',
    );
  const rows = discharges.map((discharge) => [
    formatDateTime(discharge.start),
    outageCauses[discharge.cause],
    durationInWords(discharge.seconds),
    quantity(discharge.load === null ? null : Math.round(discharge.load), '%'),
    discharge.fromCharge === null
      ? 'unknown'
      : `${String(Math.round(discharge.fromCharge))} to ${quantity(discharge.toCharge === null ? null : Math.round(discharge.toCharge), '%')}`,
    discharge.wh === null
      ? 'unknown'
      : `${quantity(Math.round(discharge.wh), 'Wh')}${discharge.energyEstimated ? ' (estimated)' : ''}`,
    discharge.capacity === null ? 'not compared' : quantity(Math.round(discharge.capacity * 100), '%'),
  ]);
  const heads = ['Begin', 'Cause', 'On battery', 'Load', 'Charge', 'Energy', 'Capacity'];
  return table('Discharges, newest first', heads, rows);
}
