// The score of a battery over the last two years, and its forecast with the band until it is due.
import type uPlot from 'uplot';
import type { BatteryHealth } from '../../shared/domain/ups/battery/health.js';
import { replacementInWords, scoreInWords } from '../../shared/domain/ups/battery/wording.js';
import type { BatteryHistoryBody } from '../../shared/http/battery-bodies.js';
import { make, setAttribute } from '../ui/dom.js';
import { colour } from '../ui/theme.js';
import { axis, axisWidth, chartIn, endChart, label, level, straight } from './chart.js';
import type { ScoreColumns } from './score-columns.js';
import { scoreColumns } from './score-columns.js';

const day = 86_400;
/** As high as the curves beside it. */
export const chartHeight = 200;

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
  #band: Pick<ScoreColumns, 'x' | 'soonest' | 'latest'> = { x: [], soonest: [], latest: [] };

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
    this.#band = { x, soonest, latest };
    const data: uPlot.AlignedData = [x, score, forecast];
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
    return chartIn(
      this.#holder,
      {
        height: chartHeight,
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
        series: [
          {},
          { stroke: () => colour('--chart-charge'), width: 2, ...plain },
          { stroke: () => colour('--chart-runtime'), width: 1.75, dash: [6, 4], spanGaps: true, ...plain },
        ],
        hooks: {
          drawClear: [(u) => this.#drawBand(u)],
          draw: [(u) => this.#drawThreshold(u)],
        },
      },
      data,
    );
  }

  /** Between the courses that end soonest and latest. */
  #drawBand(u: uPlot): void {
    const { x, soonest, latest } = this.#band;
    const edge = (values: readonly (number | null)[]): readonly (readonly [number, number])[] =>
      values.flatMap((value, place) =>
        value === null ? [] : [[u.valToPos(x[place] ?? 0, 'x', true), u.valToPos(value, 'y', true)] as const],
      );
    const outline = [...edge(soonest), ...[...edge(latest)].reverse()];
    if (outline.length < 3) return;
    const { ctx } = u;
    ctx.save();
    ctx.fillStyle = colour('--chart-runtime-soft');
    ctx.beginPath();
    for (const [left, top] of outline) ctx.lineTo(left, top);
    ctx.fill();
    ctx.restore();
  }

  /** The label is at the begin: the forecast meets the line at its end. */
  #drawThreshold(u: uPlot): void {
    if (this.#threshold === 0) return;
    const tone = colour('--warning');
    level(u, 'y', this.#threshold, tone, '');
    const at = u.valToPos(this.#threshold, 'y', true);
    label(u, `due below ${String(this.#threshold)}`, u.bbox.left + 6 * devicePixelRatio, at, 'left', tone);
  }
}

const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric' });
const dayFormat = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short' });

const datesOf: uPlot.Axis.Values = (_u, splits) => {
  const isLong = (splits[1] ?? 0) - (splits[0] ?? 0) >= 20 * day;
  return splits.map((at) => (isLong ? monthFormat : dayFormat).format(at * 1000));
};
