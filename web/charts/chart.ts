// The common parts of all charts: the size follows the element, the colours follow the theme.
import uPlot from 'uplot';
import { colour } from '../ui/theme.js';

const live = new Map<uPlot, ResizeObserver>();

export function redrawCharts(): void {
  for (const chart of live.keys()) chart.redraw(false, true);
}

/** Creates a chart that stays as wide as its element until `endChart`. */
export function chartIn(
  element: HTMLElement,
  options: Omit<uPlot.Options, 'width'>,
  data: uPlot.AlignedData,
): uPlot {
  const width = Math.max(100, element.clientWidth);
  const chart = new uPlot({ ...options, width }, data, element);
  const sizes = new ResizeObserver(() => {
    if (!element.isConnected) return;
    const next = Math.max(100, element.clientWidth);
    if (next !== chart.width) chart.setSize({ width: next, height: chart.height });
  });
  sizes.observe(element);
  live.set(chart, sizes);
  return chart;
}

export function endChart(chart: uPlot): void {
  live.get(chart)?.disconnect();
  live.delete(chart);
  chart.destroy();
}

/** Room for `100 %` and `17 min`; the same for every chart, so that time axes below one another align. */
export const axisWidth = 52;

const font = '12px system-ui, sans-serif';

export function axis(values: uPlot.Axis.Values, size?: number): uPlot.Axis {
  return {
    stroke: () => colour('--quiet'),
    font,
    gap: 4,
    ...(size === undefined ? { size: 26 } : { size }),
    grid: { stroke: () => colour('--grid'), width: 1 },
    ticks: { stroke: () => colour('--grid'), width: 1, size: 4 },
    values,
  };
}

/** The steps of a history: a value holds until the next one. */
export const stepped = uPlot.paths.stepped?.({ align: 1 });
export const straight = uPlot.paths.linear?.();

/** A vertical band from `from` to `to`, behind the lines. */
export function band(u: uPlot, from: number, to: number, fill: string, alpha = 1): void {
  const { left, top, width, height } = u.bbox;
  const a = Math.max(left, u.valToPos(from, 'x', true));
  const b = Math.min(left + width, u.valToPos(to, 'x', true));
  if (b <= a) return;
  u.ctx.save();
  u.ctx.globalAlpha = alpha;
  u.ctx.fillStyle = fill;
  u.ctx.fillRect(a, top, Math.max(b - a, devicePixelRatio), height);
  u.ctx.restore();
}

/** A horizontal line at `value` with a label at its right end. */
export function level(u: uPlot, scale: string, value: number, stroke: string, text: string): void {
  const { left, top, width, height } = u.bbox;
  const y = u.valToPos(value, scale, true);
  if (y < top || y > top + height) return;
  const { ctx } = u;
  ctx.save();
  ctx.strokeStyle = stroke;
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
  ctx.beginPath();
  ctx.moveTo(left, y);
  ctx.lineTo(left + width, y);
  ctx.stroke();
  if (text !== '') label(u, text, left + width - 4 * devicePixelRatio, y, 'right', stroke);
  ctx.restore();
}

/** A vertical line at `at`. */
export function upright(u: uPlot, at: number, stroke: string, dash: readonly number[] = []): void {
  const { left, top, width, height } = u.bbox;
  const x = u.valToPos(at, 'x', true);
  if (x < left - 1 || x > left + width + 1) return;
  const { ctx } = u;
  ctx.save();
  ctx.strokeStyle = stroke;
  ctx.lineWidth = 1.5 * devicePixelRatio;
  ctx.setLineDash(dash.map((length) => length * devicePixelRatio));
  ctx.beginPath();
  ctx.moveTo(x, top);
  ctx.lineTo(x, top + height);
  ctx.stroke();
  ctx.restore();
}

/** A label on the chart with a background that covers the lines. */
export function label(
  u: uPlot,
  text: string,
  x: number,
  y: number,
  align: 'left' | 'right',
  fill: string,
): void {
  const { ctx } = u;
  const ratio = devicePixelRatio;
  ctx.save();
  ctx.font = `${String(11 * ratio)}px system-ui, sans-serif`;
  ctx.setLineDash([]);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'alphabetic';
  const { width } = ctx.measureText(text);
  const from = align === 'left' ? x : x - width;
  const above = y - 13 * ratio > u.bbox.top;
  const base = above ? y - 4 * ratio : y + 12 * ratio;
  ctx.fillStyle = colour('--paper');
  ctx.globalAlpha = 0.85;
  ctx.fillRect(from - 2 * ratio, base - 10 * ratio, width + 4 * ratio, 13 * ratio);
  ctx.globalAlpha = 1;
  ctx.fillStyle = fill;
  ctx.fillText(text, from, base);
  ctx.restore();
}
