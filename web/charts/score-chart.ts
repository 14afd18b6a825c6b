// The score of a battery over the last two years, and its forecast with the band until it is due.
import type uPlot from 'uplot';
import type { BatteryHealth } from '../../shared/domain/battery/health.js';
import { replacementInWords, scoreInWords } from '../../shared/domain/battery/wording.js';
import type { BatteryHistoryBody } from '../../shared/http/battery-bodies.js';
import { make, setAttribute } from '../ui/dom.js';
import { colour } from '../ui/theme.js';
import { axis, axisWidth, chartIn, endChart, level, straight } from './chart.js';
import { scoreColumns } from './score-columns.js';

const day = 86_400;

export class ScoreChart {
  readonly #holder = make('div', 'chart');
  readonly root = make(
    'figure',
    'panel',
    make('figcaption', 'chart-top', make('h3', 'chart-title', 'Score and forecast')),
    this.#holder,
  );
  #chart: uPlot | null = null;
  #threshold = 0;

  constructor() {
    this.#holder.setAttribute('role', 'img');
  }

  show(days: BatteryHistoryBody['days'], health: BatteryHealth): void {
    const { x, score, forecast, soonest, latest } = scoreColumns(days, health);
    this.#threshold = health.replacement.thresholdScore;
    setAttribute(
      this.#holder,
      'aria-label',
      `Score of the battery: ${scoreInWords(health)}. Replacement ${replacementInWords(health.replacement)}`,
    );
    const data: uPlot.AlignedData = [x, score, forecast, latest, soonest];
    this.#chart ??= this.#made(data);
    this.#chart.setData(data, true);
  }

  end(): void {
    if (this.#chart !== null) endChart(this.#chart);
    this.#chart = null;
  }

  #made(data: uPlot.AlignedData): uPlot {
    const paths = straight === undefined ? {} : { paths: straight };
    const plain = { points: { show: false }, ...paths };
    const edge: uPlot.Series = { stroke: 'transparent', width: 0, spanGaps: true, ...plain };
    return chartIn(
      this.#holder,
      {
        height: 170,
        padding: [8, 8, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: {
          // At least a month: one day alone would be a point.
          x: { time: true, range: (_u, min, max) => [Math.min(min, max - 30 * day), max] },
          y: { range: () => [0, 100] },
        },
        axes: [
          { ...axis(datesOf), space: 90 },
          { ...axis((_u, splits) => splits.map(String), axisWidth), space: 36 },
        ],
        bands: [{ series: [3, 4], fill: () => colour('--chart-runtime-soft') }],
        series: [
          {},
          { stroke: () => colour('--chart-charge'), width: 2, ...plain },
          { stroke: () => colour('--chart-runtime'), width: 1.75, dash: [6, 4], spanGaps: true, ...plain },
          edge,
          edge,
        ],
        hooks: {
          draw: [
            (u) =>
              level(u, 'y', this.#threshold, colour('--warning'), `due below ${String(this.#threshold)}`),
          ],
        },
      },
      data,
    );
  }
}

const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric' });
const dayFormat = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short' });

const datesOf: uPlot.Axis.Values = (_u, splits) => {
  const isLong = (splits[1] ?? 0) - (splits[0] ?? 0) >= 20 * day;
  return splits.map((at) => (isLong ? monthFormat : dayFormat).format(at * 1000));
};
