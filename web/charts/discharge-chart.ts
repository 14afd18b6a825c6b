// The curves of several discharges over each other, from their begin: of a battery that ages the newer ones fall sooner.
import { countText } from '../../shared/domain/base/format.js';
import uPlot from 'uplot';
import type { DischargeRow } from '../../shared/http/battery-bodies.js';
import { make, setAttribute, setText } from '../ui/dom.js';
import { colour } from '../ui/theme.js';
import { axis, axisWidth, chartIn, endChart, straight } from './chart.js';
import { chartHeight } from './score-chart.js';

type DischargeQuantity = 'charge' | 'volts';

/** The newest is opaque, the oldest faint. */
const faintest = 0.25;

export class DischargeChart {
  readonly #title = make('h3', 'chart-title');
  readonly #holder = make('div', 'chart');
  readonly root = make(
    'figure',
    'panel',
    make(
      'figcaption',
      'chart-top',
      this.#title,
      make('p', 'quiet', 'The stronger the line, the newer the discharge.'),
    ),
    this.#holder,
  );
  #chart: uPlot | null = null;
  #key = '';

  constructor() {
    this.#holder.setAttribute('role', 'img');
  }

  /** `discharges`: the newest first. */
  show(discharges: readonly DischargeRow[]): void {
    const quantity: DischargeQuantity = discharges.some(({ curve }) =>
      curve.charge.some((one) => one !== null),
    )
      ? 'charge'
      : 'volts';
    const shown = [...discharges]
      .reverse()
      .filter(({ curve }) => curve[quantity].some((one) => one !== null));
    const key = JSON.stringify(shown.map(({ id, seconds }) => [id, seconds]));
    if (key === this.#key) return;
    this.end();
    this.#key = key;
    this.root.hidden = shown.length === 0;
    if (shown.length === 0) return;
    setText(
      this.#title,
      quantity === 'charge' ? 'Discharges: charge by minutes' : 'Discharges: volts by minutes',
    );
    setAttribute(
      this.#holder,
      'aria-label',
      `The curves of ${countText(shown.length, 'discharge')}; their values are in the table below`,
    );
    this.#chart = chartIn(this.#holder, optionsOf(quantity, shown.length), joinCurves(shown, quantity));
  }

  end(): void {
    if (this.#chart !== null) endChart(this.#chart);
    this.#chart = null;
    this.#key = '';
  }
}

/** uPlot has one time axis: every curve has values at its own times only. */
function joinCurves(shown: readonly DischargeRow[], quantity: DischargeQuantity): uPlot.AlignedData {
  return uPlot.join(
    shown.map(({ curve }): uPlot.AlignedData => [
      curve.seconds.map((seconds) => seconds / 60),
      [...curve[quantity]],
    ]),
  );
}

function optionsOf(quantity: DischargeQuantity, count: number): Omit<uPlot.Options, 'width'> {
  const paths = straight === undefined ? {} : { paths: straight };
  return {
    height: chartHeight,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false, range: (_u, _min, max) => [0, Math.max(1, max)] },
      y: quantity === 'charge' ? { range: () => [0, 100] } : {},
    },
    axes: [
      { ...axis((_u, splits) => splits.map((one) => `${String(one)} min`)), space: 60 },
      { ...axis((_u, splits) => splits.map((one) => markOf(one, quantity)), axisWidth), space: 36 },
    ],
    series: [
      {},
      ...Array.from({ length: count }, (_, place): uPlot.Series => {
        const newness = count === 1 ? 1 : place / (count - 1);
        return {
          stroke: () => colour('--chart-charge'),
          alpha: faintest + (1 - faintest) * newness ** 2,
          width: place === count - 1 ? 2.5 : 1.5,
          spanGaps: true,
          points: { show: false },
          ...paths,
        };
      }),
    ],
  };
}

function markOf(value: number, quantity: DischargeQuantity): string {
  return quantity === 'charge' ? `${String(value)}\u00a0%` : String(value);
}
