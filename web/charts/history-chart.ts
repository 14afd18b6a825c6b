// The history of one metric: the mean as steps, the extremes as an envelope, gaps without a line, outages as bands and
// events as marks. Shows the reading at the pointer or at the arrow keys as text.
import type uPlot from 'uplot';
import { eventInWords } from '../../shared/domain/status/event-names.js';
import type { EventRow, HistoryBody } from '../../shared/http/bodies.js';
import { make, setText, setAttribute } from '../ui/dom.js';
import { formatDateTime } from '../ui/phrases.js';
import { colour } from '../ui/theme.js';
import { axis, axisWidth, band, chartIn, endChart, level, stepped, upright } from './chart.js';
import type { Annotations } from './annotations.js';
import type { MetricKind } from './metric-kinds.js';
import { columnsOf, summaryOf } from './series.js';

export interface ChartLevel {
  readonly value: number;
  readonly text: string;
}

const noAnnotations: Annotations = { bands: [], marks: [] };
/** Pixels: a mark this near to the pointer is shown as text. */
const nearPixels = 6;

export class HistoryChart {
  readonly #title = make('h3', 'chart-title');
  readonly #reading = make('p', 'chart-reading quiet');
  readonly #holder = make('div', 'chart');
  readonly root = make(
    'figure',
    'panel',
    make('figcaption', 'chart-top', this.#title, this.#reading),
    this.#holder,
  );
  #chart: uPlot | null = null;
  #annotations = noAnnotations;
  #levels: readonly ChartLevel[] = [];
  #summaryText = '';
  #span: readonly [number, number] = [0, 1];

  constructor(readonly kind: MetricKind) {
    setText(this.#title, kind.title);
    this.#holder.tabIndex = 0;
    this.#holder.setAttribute('role', 'img');
    this.#holder.addEventListener('keydown', (event) => this.#key(event));
    this.#holder.addEventListener('blur', () => this.#chart?.setCursor({ left: -10, top: -10 }));
  }

  show(body: HistoryBody, annotations: Annotations, levels: readonly ChartLevel[], title: string): void {
    this.#annotations = annotations;
    this.#levels = levels;
    this.#span = [body.from, body.to];
    const summary = summaryOf(body);
    const { words } = this.kind;
    this.#summaryText =
      summary === null
        ? 'No readings'
        : summary.min === summary.max
          ? `${words(summary.last)} throughout`
          : `${words(summary.min)} to ${words(summary.max)}, last ${words(summary.last)}`;
    setAttribute(this.#holder, 'aria-label', `${this.kind.title}, ${title}: ${this.#summaryText}`);
    const [x, value, min, max] = columnsOf(body.data, body.stepSeconds);
    const data: uPlot.AlignedData = [x, value, max, min];
    this.#chart ??= this.#made(data);
    this.#chart.setData(data, true);
    this.#showReading(this.#chart);
  }

  end(): void {
    if (this.#chart !== null) endChart(this.#chart);
    this.#chart = null;
  }

  #made(data: uPlot.AlignedData): uPlot {
    const { kind } = this;
    const line = () => colour(kind.colour);
    const paths = stepped === undefined ? {} : { paths: stepped };
    const envelope: uPlot.Series = { stroke: 'transparent', width: 0, points: { show: false }, ...paths };
    return chartIn(
      this.#holder,
      {
        height: 150,
        padding: [8, 8, 0, 0],
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
        scales: {
          x: { time: true, range: () => [...this.#span] as [number, number] },
          y: { range: (u, min, max) => this.#scale(floorOf(u, kind, min, max), max) },
        },
        axes: [
          { ...axis(timesOf), space: 80 },
          {
            ...axis((_u, splits) => splits.map((one) => kind.mark(one)), axisWidth),
            space: 36,
            ...(kind.increments && { incrs: [...kind.increments] }),
          },
        ],
        bands: [{ series: [2, 3], fill: () => colour(`${kind.colour}-soft`) }],
        series: [{}, { stroke: line, width: 1.75, points: { show: false }, ...paths }, envelope, envelope],
        hooks: {
          drawClear: [(u) => this.#behind(u)],
          draw: [(u) => this.#before(u)],
          setCursor: [(u) => this.#showReading(u)],
        },
      },
      data,
    );
  }

  /** The range of the axis. Ignores the levels: distant ones would flatten the curve. */
  #scale(min: number | null, max: number | null): [number, number] {
    const { scaleMin, scaleMax, room } = this.kind;
    if (min === null || max === null) return [scaleMin ?? 0, scaleMax ?? 1];
    const low = scaleMin ?? min - Math.max(room, (max - min) * 0.15);
    const high = scaleMax === undefined ? max + Math.max(room, (max - min) * 0.15) : Math.max(scaleMax, max);
    return [low, high];
  }

  #behind(u: uPlot): void {
    for (const { kind, from, to } of this.#annotations.bands)
      band(u, from, to, colour(kind === 'outage' ? '--outage' : '--disconnected'));
  }

  #before(u: uPlot): void {
    for (const { value, text } of this.#levels) level(u, 'y', value, colour('--warning'), text);
    for (const mark of this.#annotations.marks) tick(u, mark);
  }

  #showReading(u: uPlot): void {
    const { idx, left } = u.cursor;
    const ts = idx === null || idx === undefined ? undefined : u.data[0][idx];
    if (ts === undefined || left === undefined || left < 0) {
      setText(this.#reading, this.#summaryText);
      return;
    }
    const [value, max, min] = [1, 2, 3].map((series) => u.data[series]?.[idx ?? 0] ?? null);
    const { words } = this.kind;
    const near = this.#annotations.marks.find(
      (mark) => Math.abs(u.valToPos(mark.ts, 'x') - left) <= nearPixels,
    );
    const spread =
      min === null || max === null || min === undefined || max === undefined || min === max
        ? ''
        : ` (${words(min)} to ${words(max)})`;
    const reading = value === null || value === undefined ? 'no reading' : `${words(value)}${spread}`;
    setText(
      this.#reading,
      near === undefined
        ? `${formatDateTime(ts)}  ${reading}`
        : `${formatDateTime(near.ts)}  ${eventInWords(near.eventType)}: ${near.detail}`,
    );
  }

  #key(event: KeyboardEvent): void {
    const u = this.#chart;
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[event.key];
    if (u === null || step === undefined) return;
    event.preventDefault();
    const last = u.data[0].length - 1;
    const idx = Math.min(last, Math.max(0, (u.cursor.idx ?? last) + step));
    u.setCursor({ left: u.valToPos(u.data[0][idx] ?? 0, 'x'), top: 10 });
    setAttribute(this.#holder, 'aria-label', `${this.kind.title}: ${this.#reading.textContent}`);
  }
}

/** The lowest value on the scale. */
function floorOf(u: uPlot, { floorPart }: MetricKind, min: number | null, max: number | null): number | null {
  if (floorPart === undefined || max === null || min === null || min >= max * floorPart) return min;
  const values = [...(u.data[3] ?? [])].filter(
    (value) => typeof value === 'number' && value >= max * floorPart,
  ) as number[];
  return values.reduce((least, value) => Math.min(least, value), max);
}

/** A triangle at the top, in the colour of the event's category. */
function tick(u: uPlot, { ts, category }: EventRow): void {
  const tone = category === 'power_event' || category === 'shutdown' ? '--danger' : '--quiet';
  const { ctx, bbox } = u;
  const x = u.valToPos(ts, 'x', true);
  if (x < bbox.left || x > bbox.left + bbox.width) return;
  if (category === 'shutdown') upright(u, ts, colour(tone), [2, 3]);
  const half = 4 * devicePixelRatio;
  ctx.save();
  ctx.fillStyle = colour(tone);
  ctx.beginPath();
  ctx.moveTo(x - half, bbox.top - half);
  ctx.lineTo(x + half, bbox.top - half);
  ctx.lineTo(x, bbox.top + half);
  ctx.fill();
  ctx.restore();
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short' });
const timeFormat = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});
const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric' });
const day = 86_400;

/** Labels by the distance of the ticks: times, days or months. A tick at midnight has the day. */
const timesOf: uPlot.Axis.Values = (_u, splits) => {
  const distance = (splits[1] ?? 0) - (splits[0] ?? 0);
  return splits.map((at) => {
    if (distance >= 20 * day) return monthFormat.format(at * 1000);
    const time = timeFormat.format(at * 1000);
    return distance >= day || time === '00:00' ? dayFormat.format(at * 1000) : time;
  });
};
