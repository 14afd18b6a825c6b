// The timeline of an outage: charge, runtime and load with the thresholds of the triggers on one time axis. Below them, the
// time that the plan needs and the time that is left. On line power: the forecast for an outage that begins now.
import { durationInWords } from '../../../shared/domain/base/duration.js';
import { quantity } from '../../../shared/domain/status/wording.js';
import type { ClientState } from '../../daemon/client-state.js';
import { groupOf } from '../../daemon/client-state.js';
import type { DetailLoader } from '../../daemon/detail-loader.js';
import { make, setText, setAttribute, setClass } from '../../ui/dom.js';
import { stateIcon, setStateIcon } from '../../ui/state-icon.js';
import type { CurrentOutages } from './current-outages.js';
import type { Sample, SampleQuantity } from './sample.js';
import type { TimelineModel } from './timeline-model.js';
import { PlanBars } from './plan-bars.js';
import { TimelineChart } from './timeline-chart.js';
import type { TimelineColumns, TimelineChartKind } from './timeline-chart.js';

const kinds: readonly (TimelineChartKind & { readonly quantity: SampleQuantity })[] = [
  {
    quantity: 'charge',
    name: 'Charge',
    colour: '--chart-charge',
    height: 124,
    top: 100,
    increments: [25, 50, 100],
    words: (value) => `${String(value)} %`,
    threshold: ({ thresholds }) =>
      thresholds.LOW_BATTERY === undefined
        ? null
        : { value: thresholds.LOW_BATTERY, text: `shutdown below ${quantity(thresholds.LOW_BATTERY, '%')}` },
    timed: false,
  },
  {
    quantity: 'runtime',
    name: 'Runtime',
    colour: '--chart-runtime',
    height: 110,
    top: 60,
    increments: [15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 36_000],
    words: (value) =>
      value >= 60 || value === 0 ? `${String(Math.round(value / 60))} min` : `${String(value)} s`,
    threshold: ({ thresholds }) =>
      thresholds.CRITICAL_RUNTIME === undefined
        ? null
        : {
            value: thresholds.CRITICAL_RUNTIME,
            text: `shutdown below ${durationInWords(thresholds.CRITICAL_RUNTIME)}`,
          },
    timed: false,
  },
  {
    quantity: 'load',
    name: 'Load',
    colour: '--chart-load',
    height: 96,
    top: 100,
    increments: [50, 100],
    words: (value) => `${String(value)} %`,
    threshold: () => null,
    timed: true,
  },
];

export class OutageTimeline {
  readonly root = make('figure', 'timeline panel');
  readonly #title = make('h2', 'timeline-title');
  readonly #icon = stateIcon();
  readonly #summary = make('p', 'timeline-summary');
  readonly #chartArea = make('div', 'timeline-charts');
  readonly #planBars = new PlanBars();
  readonly #charts = new Map<SampleQuantity, TimelineChart>();

  constructor(
    readonly groupId: string,
    readonly context: {
      readonly clientState: ClientState;
      readonly details: DetailLoader;
      readonly outages: CurrentOutages;
    },
  ) {
    this.#chartArea.setAttribute('role', 'img');
    const caption = make(
      'figcaption',
      '',
      this.#title,
      make('div', 'icon-and-text', this.#icon, this.#summary),
    );
    this.root.append(caption, this.#chartArea, this.#planBars.root);
  }

  show(): void {
    const { clientState, details, outages } = this.context;
    const row = clientState.status?.ups.find(({ groupId }) => groupId === this.groupId);
    if (row === undefined) return;
    details.request([this.groupId], [groupOf(clientState, row)]);
    const { model, samples, plan, run } = outages.of(row);
    const outage = row.timeOnBattery > 0;
    setText(this.#title, outage ? `${row.label}: this outage` : 'If the power failed now');
    setStateIcon(this.#icon, model.tone);
    setClass(this.root, `timeline panel ${model.tone}`);
    setText(this.#summary, model.text);
    setAttribute(this.#chartArea, 'aria-label', `Charge, runtime and load over time. ${model.text}`);
    this.#planBars.show(model, plan, run);
    if (!this.root.isConnected) return;
    const present = { ts: model.now, charge: row.batteryCharge, runtime: row.runtime, load: row.load };
    for (const kind of kinds)
      this.#chartOf(kind).show(model, columnsOf(kind.quantity, model, samples, present));
  }

  end(): void {
    for (const chart of this.#charts.values()) chart.end();
    this.#charts.clear();
    this.#chartArea.replaceChildren();
  }

  /** Created when the element is in the page: it has no width before. */
  #chartOf(kind: (typeof kinds)[number]): TimelineChart {
    const existing = this.#charts.get(kind.quantity);
    if (existing !== undefined) return existing;
    const holder = make('div', 'timeline-chart');
    this.#chartArea.append(make('div', 'timeline-chart-name', kind.name), holder);
    const chart = new TimelineChart(holder, kind);
    this.#charts.set(kind.quantity, chart);
    return chart;
  }
}

/** Measured values up to now; projected values from now to the empty battery. */
function columnsOf(
  quantity: SampleQuantity,
  model: TimelineModel,
  samples: readonly Sample[],
  now: Sample,
): TimelineColumns {
  const columns: TimelineColumns = [[], [], []];
  const push = (ts: number, measured: number | null, projected: number | null): void => {
    columns[0].push(ts);
    columns[1].push(measured);
    columns[2].push(projected);
  };
  for (const sample of samples)
    if (sample.ts >= model.start && sample.ts < model.now) push(sample.ts, sample[quantity], null);
  const value = now[quantity];
  push(model.now, value, value);
  if (value === null || model.emptyAt === null) return columns;
  push(model.emptyAt, null, quantity === 'load' ? value : 0);
  return columns;
}
