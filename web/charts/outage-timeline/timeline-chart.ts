// One strip of the film: a quantity over the outage's time, measured as steps and projected as a dashed line.
import type uPlot from 'uplot';
import { colour } from '../ui/theme.js';
import { axis, axisWidth, band, chartIn, endChart, level, stepped, straight, upright } from './chart.js';
import type { Scene } from './film-scene.js';

export interface StripKind {
  readonly name: string;
  /** A custom property of the style sheet. */
  readonly colour: string;
  readonly height: number;
  /** The lowest top of the scale. */
  readonly top: number;
  /** The distances its marks may have. */
  readonly increments: readonly number[];
  readonly words: (value: number) => string;
  readonly threshold: (scene: Scene) => { readonly value: number; readonly text: string } | null;
  /** Only the lowest strip says the time. */
  readonly timed: boolean;
}

/** Columns: Unix seconds, measured, projected. */
export type StripColumns = [number[], (number | null)[], (number | null)[]];

export class StripChart {
  readonly #chart: uPlot;
  #scene: Scene | null = null;

  constructor(
    element: HTMLElement,
    readonly kind: StripKind,
  ) {
    const colours = () => colour(kind.colour);
    const times: uPlot.Axis.Values = (_u, splits) =>
      splits.map((at) => (kind.timed ? relative(at - (this.#scene?.start ?? 0)) : ''));
    this.#chart = chartIn(
      element,
      {
        height: kind.height,
        padding: [8, 12, 0, 0],
        legend: { show: false },
        cursor: { show: false },
        select: { show: false, left: 0, top: 0, width: 0, height: 0 },
        scales: {
          x: { time: true, range: () => [this.#scene?.start ?? 0, this.#scene?.end ?? 1] },
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

  show(scene: Scene, columns: StripColumns): void {
    this.#scene = scene;
    this.#chart.setData(columns, true);
  }

  end(): void {
    endChart(this.#chart);
  }

  /** Whole minutes or tens of seconds after the power failed, and not of the clock. */
  #splits(): number[] {
    const scene = this.#scene;
    if (scene === null) return [];
    const room = Math.max(2, Math.floor(this.#chart.width / 90));
    const span = scene.end - scene.start;
    const step = steps.find((one) => span / one <= room) ?? 21_600;
    // A mark at the very end would be cut off.
    const count = Math.floor((span * 0.96) / step) + 1;
    return Array.from({ length: count }, (_, index) => scene.start + index * step);
  }

  #behind(u: uPlot): void {
    const scene = this.#scene;
    if (scene === null) return;
    if (scene.outage) band(u, scene.start, scene.now, colour('--outage'));
    if (scene.triggerAt !== null && scene.emptyAt !== null)
      band(u, scene.triggerAt, scene.emptyAt, colour('--danger'), 0.06);
    if (scene.emptyAt !== null) band(u, scene.emptyAt, scene.end, colour('--danger'), 0.16);
  }

  #before(u: uPlot): void {
    const scene = this.#scene;
    if (scene === null) return;
    const threshold = this.kind.threshold(scene);
    if (threshold !== null) level(u, 'y', threshold.value, colour('--danger'), threshold.text);
    if (scene.outage) upright(u, scene.now, colour('--ink'));
    if (scene.triggerAt !== null) upright(u, scene.triggerAt, colour('--danger'));
    if (scene.emptyAt !== null) upright(u, scene.emptyAt, colour('--danger'), [2, 3]);
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
