// The energy of days or months as bars; bars that are estimated or have gaps are lighter. Shows the bar at the pointer or at the
// arrow keys as text.
import uPlot from 'uplot';
import type { EnergyHistoryBody } from '../../shared/http/device-bodies.js';
import { flagsOf } from '../../shared/domain/outage/report-wording.js';
import { noBreakSpace } from '../../shared/domain/base/duration.js';
import { quantity } from '../../shared/domain/status/wording.js';
import { make, setAttribute, setText } from '../ui/dom.js';
import { colour } from '../ui/theme.js';
import { axis, chartIn, endChart } from './chart.js';

type Bar = EnergyHistoryBody['data'][number];

const height = 190;
/** Room for `1,234.5 kWh`. */
const unitAxisWidth = 76;
/** Part of the room of a bar, and its greatest width in pixels. */
const barPaths = uPlot.paths.bars?.({ size: [0.75, 48] });

export class EnergyChart {
  readonly #reading = make('p', 'chart-reading quiet');
  readonly #holder = make('div', 'chart');
  readonly root = make('figure', '', make('figcaption', 'chart-top', this.#reading), this.#holder);
  #chart: uPlot | null = null;
  #body: EnergyHistoryBody | null = null;

  constructor() {
    this.#holder.tabIndex = 0;
    this.#holder.setAttribute('role', 'img');
    this.#holder.addEventListener('keydown', (event) => this.#key(event));
    this.#holder.addEventListener('blur', () => this.#chart?.setCursor({ left: -10, top: -10 }));
  }

  show(body: EnergyHistoryBody): void {
    this.#body = body;
    const { data, by } = body;
    const sum = data.reduce((total, { kwh }) => total + kwh, 0);
    setAttribute(
      this.#holder,
      'aria-label',
      `Energy by ${by}, ${data[0]?.label ?? ''} to ${data.at(-1)?.label ?? ''}: ${quantity(sum, 'kWh')} in all. Arrow keys read the bars.`,
    );
    const isFlagged = ({ estimated, partial }: Bar): boolean => estimated || partial;
    const values: uPlot.AlignedData = [
      data.map((_, place) => place),
      data.map((bar) => (isFlagged(bar) ? null : bar.kwh)),
      data.map((bar) => (isFlagged(bar) ? bar.kwh : null)),
    ];
    this.#chart ??= this.#made(values);
    this.#chart.setData(values, true);
    this.#showReading(this.#chart);
  }

  end(): void {
    if (this.#chart !== null) endChart(this.#chart);
    this.#chart = null;
  }

  #made(data: uPlot.AlignedData): uPlot {
    const paths = barPaths === undefined ? {} : { paths: barPaths };
    const bars = (fill: string): uPlot.Series => ({
      fill: () => colour(fill),
      stroke: () => colour('--chart-load'),
      width: 1,
      points: { show: false },
      ...paths,
    });
    return chartIn(
      this.#holder,
      {
        height,
        padding: [8, 12, 0, 0],
        legend: { show: false },
        cursor: { y: false, drag: { setScale: false }, points: { show: false } },
        scales: {
          x: { time: false, range: (_u, _min, max) => [-0.6, Math.max(6, max) + 0.6] },
          y: { range: (_u, _min, max) => [0, max > 0 ? max * 1.1 : 1] },
        },
        axes: [
          {
            ...axis((_u, splits) => splits.map((at) => this.#labelAt(at))),
            space: 80,
            incrs: [1, 2, 5, 10, 30],
          },
          {
            ...axis(
              (_u, splits) => splits.map((at) => `${String(Math.round(at * 100) / 100)}${noBreakSpace}kWh`),
              unitAxisWidth,
            ),
            space: 36,
          },
        ],
        series: [{}, bars('--chart-load'), bars('--chart-load-soft')],
        hooks: { setCursor: [(u) => this.#showReading(u)] },
      },
      data,
    );
  }

  #labelAt(place: number): string {
    const label = Number.isInteger(place) ? this.#body?.data[place]?.label : undefined;
    // The year is in the reading.
    return label?.slice(this.#body?.by === 'day' ? 5 : 0) ?? '';
  }

  #showReading(u: uPlot): void {
    const { idx, left } = u.cursor;
    const { data = [], currency = '' } = this.#body ?? {};
    const bar = left === undefined || left < 0 || idx === null || idx === undefined ? data.at(-1) : data[idx];
    setText(this.#reading, bar === undefined ? '' : barText(bar, currency));
  }

  #key(event: KeyboardEvent): void {
    const u = this.#chart;
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (u === null || step === undefined) return;
    event.preventDefault();
    const last = u.data[0].length - 1;
    const at = Math.min(last, Math.max(0, (u.cursor.idx ?? last + 1) + step));
    u.setCursor({ left: u.valToPos(at, 'x'), top: 10 });
    setAttribute(this.#holder, 'aria-label', `Energy: ${this.#reading.textContent}`);
  }
}

function barText({ label, kwh, cost, estimated, powerFactor, partial }: Bar, currency: string): string {
  const price = cost === null ? '' : `, ${cost.toFixed(2)} ${currency}`;
  return `${label}  ${quantity(kwh, 'kWh')}${price}${flagsOf(estimated, powerFactor, partial)}`;
}
