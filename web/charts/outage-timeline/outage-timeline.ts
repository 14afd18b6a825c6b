// The film strip of an outage: charge, runtime and load on one time axis, the triggers' lines, and below them the time
// the plan needs against the time left. On a sunny day: what would happen if the power failed now.
import type { SequenceModel } from '../../shared/domain/status-model.js';
import { durationInWords, quantity } from '../../shared/domain/wording.js';
import { groupOf, nowSeconds } from '../daemon/knowledge.js';
import type { Tools } from '../views/view.js';
import { make, say, setAttribute, setClass } from '../ui/dom.js';
import { mark, setMark } from '../ui/icons.js';
import { FilmData } from './film-data.js';
import type { Sample } from './sample.js';
import { sceneOf } from './film-scene.js';
import { notablePace } from './film-verdict.js';
import type { Scene } from './film-scene.js';
import { PlanLane } from './plan-lane.js';
import { StripChart } from './strip-chart.js';
import type { StripColumns, StripKind } from './strip-chart.js';

type Quantity = 'charge' | 'runtime' | 'load';

const kinds: readonly (StripKind & { readonly quantity: Quantity })[] = [
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

export class FilmStrip {
  readonly root = make('figure', 'film panel');
  readonly #title = make('h2', 'film-title');
  readonly #mark = mark();
  readonly #verdict = make('p', 'film-verdict');
  readonly #strips = make('div', 'film-strips');
  readonly #lane = new PlanLane();
  readonly #data: FilmData;
  readonly #charts = new Map<Quantity, StripChart>();

  constructor(
    readonly groupId: string,
    readonly tools: Tools,
  ) {
    this.#data = new FilmData(groupId, tools.requests, tools.refresh);
    this.#strips.setAttribute('role', 'img');
    const caption = make('figcaption', '', this.#title, make('div', 'film-says', this.#mark, this.#verdict));
    this.root.append(caption, this.#strips, this.#lane.root);
  }

  show(): void {
    const { known, details } = this.tools;
    const row = known.status?.ups.find(({ groupId }) => groupId === this.groupId);
    if (row === undefined) return;
    const group = groupOf(known, row);
    details.want([this.groupId], [group]);
    const { sequence } = known;
    const run = 'group' in sequence && sequence.group === group ? sequence : null;
    const now = nowSeconds(known);
    const outage = row.timeOnBattery > 0;
    const mine = run !== null && outage && run.startedAt >= now - row.timeOnBattery - 2 ? run : null;
    if (outage) this.#data.see(row, now, now - row.timeOnBattery);
    const samples = outage ? this.#data.samples() : [];
    const scene = sceneOf({
      row,
      triggers: known.explanations.get(this.groupId)?.triggers ?? [],
      plan: known.plans.get(group),
      samples,
      run: mine === null ? null : { ...mine, endedAt: endOf(mine) },
      advisory: group !== this.groupId,
      now,
    });
    if (outage && scene.pace > notablePace) known.outlooks.set(this.groupId, scene.text.split(';')[0] ?? '');
    else known.outlooks.delete(this.groupId);
    say(this.#title, outage ? `${row.label}: this outage` : 'If the power failed now');
    setMark(this.#mark, scene.tone);
    setClass(this.root, `film panel ${scene.tone}`);
    say(this.#verdict, scene.text);
    setAttribute(this.#strips, 'aria-label', `Charge, runtime and load over time. ${scene.text}`);
    this.#lane.show(scene, known.plans.get(group), mine);
    if (!this.root.isConnected) return;
    const present = { ts: now, charge: row.batteryCharge, runtime: row.runtime, load: row.load };
    for (const kind of kinds)
      this.#chartOf(kind).show(scene, columnsOf(kind.quantity, scene, samples, present));
  }

  end(): void {
    for (const chart of this.#charts.values()) chart.end();
    this.#charts.clear();
    this.#strips.replaceChildren();
  }

  /** Made when the strip is in the page, for only then it has a width. */
  #chartOf(kind: (typeof kinds)[number]): StripChart {
    const made = this.#charts.get(kind.quantity);
    if (made !== undefined) return made;
    const holder = make('div', 'strip');
    this.#strips.append(make('div', 'strip-name', kind.name), holder);
    const chart = new StripChart(holder, kind);
    this.#charts.set(kind.quantity, chart);
    return chart;
  }
}

/** When the last step ended; null while it runs. */
function endOf({ active, startedAt, steps }: Extract<SequenceModel, { group: string }>): number | null {
  return active ? null : Math.max(startedAt, ...steps.map(({ endedAt }) => endedAt ?? startedAt));
}

/** Measured up to now, projected from now until the battery is empty. */
function columnsOf(quantity: Quantity, scene: Scene, samples: readonly Sample[], now: Sample): StripColumns {
  const columns: StripColumns = [[], [], []];
  const push = (ts: number, measured: number | null, projected: number | null): void => {
    columns[0].push(ts);
    columns[1].push(measured);
    columns[2].push(projected);
  };
  for (const sample of samples)
    if (sample.ts >= scene.start && sample.ts < scene.now) push(sample.ts, sample[quantity], null);
  const value = now[quantity];
  push(scene.now, value, value);
  if (value === null || scene.emptyAt === null) return columns;
  push(scene.emptyAt, null, quantity === 'load' ? value : 0);
  return columns;
}
