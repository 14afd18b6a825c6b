// One chart of a timeline: a quantity over time, measured values as steps, projected ones as a dashed line.
import type uPlot from 'uplot';
import { colour } from '../../ui/theme.js';
import { axis, axisWidth, band, chartIn, endChart, level, stepped, straight, upright } from '../chart.js';
import type { TimelineModel } from './timeline-model.js';

export interface TimelineChartKind {
  readonly name: string;
  /** A custom property of the style sheet. */
  readonly colour: string;
  readonly height: number;
  /** The lowest top of the scale. */
  readonly top: number;
  readonly increments: readonly number[];
  readonly words: (value: number) => string;
  readonly threshold: (model: TimelineModel) => { readonly value: number; readonly text: string } | null;
  /** Whether the chart labels the time axis: only the lowest one does. */
  readonly timed: boolean;
}

/** Columns: Unix seconds, measured, projected. */
export type TimelineColumns = [number[], (number | null)[], (number | null)[]];

export class TimelineChart {
  readonly #chart: uPlot;
  #model: TimelineModel | null = null;

  constructor(
    element: HTMLElement,
    readonly kind: TimelineChartKind,
  ) {
    const colours = () => colour(kind.colour);
    const times: uPlot.Axis.Values = (_u, splits) =>
      splits.map((at) => (kind.timed ? relative(at - (this.#model?.start ?? 0)) : ''));
    this.#chart = chartIn(
      element,
      {
        height: kind.height,
        padding: [8, 12, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        select: { show: false, left: 0, top: 0, width: 0, height: 0 },
        scales: {
          x: { time: true, range: () => [this.#model?.start ?? 0, this.#model?.end ?? 1] },
          y: { range: (_u, _min, max) => [0, Math.max(kind.top, (max ?? 0) * 1.08)] },
        },
        axes: [
          { ...axis(times, kind.timed ? 26 : 6), space: 70, splits: () => this.#splits() },
          {
            ...axis((_u, splits) => splits.map((value) => kind.words(value)), axisWidth),
            space: 34,
            incrs: [...kind.increments],
          },
        ],
        series: [
          {},
          { stroke: colours, width: 2, points: { show: false }, ...(stepped && { paths: stepped }) },
          {
            stroke: colours,
            width: 1.5,
            dash: [6, 5],
            points: { show: false },
            ...(straight && { paths: straight }),
          },
        ],
        hooks: { drawClear: [(u) => this.#behind(u)], draw: [(u) => this.#before(u)] },
      },
      [[], [], []],
    );
  }

  show(model: TimelineModel, columns: TimelineColumns): void {
    this.#model = model;
    this.#chart.setData(columns, true);
  }

  end(): void {
    endChart(this.#chart);
  }

  /** Ticks at round times after the power failed, not at round wall-clock times. */
  #splits(): number[] {
    const model = this.#model;
    if (model === null) return [];
    const room = Math.max(2, Math.floor(this.#chart.width / 90));
    const span = model.end - model.start;
    const step = steps.find((one) => span / one <= room) ?? 21_600;
    // A tick at the very end would be cut off.
    const count = Math.floor((span * 0.96) / step) + 1;
    return Array.from({ length: count }, (_, index) => model.start + index * step);
  }

  #behind(u: uPlot): void {
    const model = this.#model;
    if (model === null) return;
    if (model.outage) band(u, model.start, model.now, colour('--outage'));
    if (model.triggerAt !== null && model.emptyAt !== null)
      band(u, model.triggerAt, model.emptyAt, colour('--danger'), 0.06);
    if (model.emptyAt !== null) band(u, model.emptyAt, model.end, colour('--danger'), 0.16);
  }

  #before(u: uPlot): void {
    const model = this.#model;
    if (model === null) return;
    const threshold = this.kind.threshold(model);
    if (threshold !== null) level(u, 'y', threshold.value, colour('--danger'), threshold.text);
    if (model.outage) upright(u, model.now, colour('--ink'));
    if (model.triggerAt !== null) upright(u, model.triggerAt, colour('--danger'));
    if (model.emptyAt !== null) upright(u, model.emptyAt, colour('--danger'), [2, 3]);
  }
}

const steps = [5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400];

/** `0`, `+90 s`, `+5 min`, `+2 h`. */
function relative(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole === 0) return '0';
  if (whole % 3600 === 0) return `+${String(whole / 3600)} h`;
  if (whole % 60 === 0) return `+${String(whole / 60)} min`;
  return whole < 120
    ? `+${String(whole)} s`
    : `+${String(Math.floor(whole / 60))}:${String(whole % 60).padStart(2, '0')}`;
}
