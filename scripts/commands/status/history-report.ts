// The plots of `ridethrough status --history`: for each UPS and span one row per metric, with its extremes.
import type { MetricName } from '../../../shared/domain/status/metrics.js';
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import { quantity } from '../../../shared/domain/status/wording.js';
import type { HistoryBody } from '../../../shared/http/bodies.js';
import { localTime } from '../../../shared/domain/base/local-calendar.js';
import { bars } from '../../../shared/domain/base/plot.js';
import { columnsOf } from '../terminal/plot.js';
import { printable } from '../terminal/printable.js';

/** A row with title and extremes fits into 80 columns. */
const width = 44;
/** Minimum range in volts: normal variation of the mains must not fill the plot. */
const minVoltsRange = 20;

const titles: Readonly<Partial<Record<MetricName, readonly [string, string]>>> = {
  charge: ['charge', '%'],
  load: ['load', '%'],
  voltage: ['input voltage', 'V'],
};

/** `kept` in the order of the requests: by UPS, then span, then metric. */
export function historyReport(upses: readonly UpsRow[], history: readonly HistoryBody[]): string {
  const blocks = upses.flatMap(({ name, label }) => {
    const mine = history.filter(({ ups }) => ups === name);
    const spans = [...new Set(mine.map(({ from }) => from))];
    return spans.map((start) => {
      const rows = mine.filter(({ from }) => from === start);
      return [heading(label, start, rows[0]?.to ?? start), ...rows.map(plotLine)].join('\n');
    });
  });
  return printable(blocks.map((block) => `${block}\n`).join('\n'));
}

function heading(label: string, from: number, to: number): string {
  const hours = Math.round((to - from) / 3600);
  const span = hours === 1 ? 'last hour' : `last ${String(hours)} hours`;
  return `${label}, ${span}: ${localTime(from).slice(0, 16)} to ${localTime(to).slice(0, 16)}`;
}

function plotLine(history: HistoryBody): string {
  const [title, unit] = titles[history.metric] ?? [history.metric, ''];
  const start = `  ${title.padEnd(13)}  `;
  if (history.data.length === 0) return `${start}no data`;
  const lowest = history.data.reduce((low, { min }) => Math.min(low, min), Infinity);
  const highest = history.data.reduce((high, { max }) => Math.max(high, max), -Infinity);
  const [bottom, top] = scale(history.metric, lowest, highest);
  return `${start}|${bars(columnsOf(history, width), bottom, top)}|  ${range(lowest, highest, unit)}`;
}

/** The values of the lowest and the full block. */
function scale(metric: MetricName, lowest: number, highest: number): readonly [number, number] {
  if (metric !== 'voltage') return [Math.min(0, lowest), Math.max(100, highest)];
  const room = Math.max(0, minVoltsRange - (highest - lowest)) / 2;
  return [lowest - room, highest + room];
}

function range(lowest: number, highest: number, unit: string): string {
  const high = quantity(highest, unit);
  const low = quantity(lowest, unit);
  return low === high ? high : `${quantity(lowest, '').trim()} to ${high}`;
}
