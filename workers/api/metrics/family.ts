// A family of metrics, computed at the scrape, and its text. The supervisor counts; a restart of this worker resets nothing.
import type { TextFormat } from './text-format.js';

/**
 * Labels as text, a value, and what stands behind the name of the family. Null has no sample: a missing reading is neither 0 nor
 * NaN.
 */
export type MetricSample = readonly [
  labels: string,
  value: number | null,
  suffix?: '_bucket' | '_sum' | '_count' | undefined,
];

/** `Of`: what the samples are of. */
export interface Family<Of = void> {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: (of: Of) => readonly MetricSample[];
}

export function labelText(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${labelValue(value)}"`)
    .join(',');
}

/** The value of a label, escaped. */
function labelValue(text: string): string {
  return /[\\\n"]/.test(text)
    ? text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('"', '\\"')
    : text;
}

/** One sample for each possible state: 1 for the current one, 0 for the others. */
export function oneOfStates(
  label: string,
  possible: readonly string[],
  current: string,
): readonly MetricSample[] {
  return possible.map((state) => [labelText({ [label]: state }), Number(state === current)]);
}

/** With `labels` before those of each. */
export function withLabels(labels: string, samples: readonly MetricSample[]): readonly MetricSample[] {
  return samples.map(([own, value, suffix]) => [joined(labels, own), value, suffix]);
}

/** `le` as OpenMetrics wants it, in both formats: another text would be another series. */
function boundText(bound: number): string {
  if (bound === Infinity) return '+Inf';
  return Number.isInteger(bound) ? `${String(bound)}.0` : String(bound);
}

interface HistogramCounts {
  /** For each bucket, not cumulative; the last is +Inf. */
  readonly counts: readonly number[];
  readonly sum: number;
}

/** Makes the samples of a histogram. */
export function histogram(bounds: readonly number[]): (counted: HistogramCounts) => readonly MetricSample[] {
  const buckets = [...bounds, Infinity].map((bound) => `le="${boundText(bound)}"`);
  return ({ counts, sum }) => {
    let total = 0;
    return [
      ...buckets.map((le, place): MetricSample => [le, (total += counts[place] ?? 0), '_bucket']),
      ['', sum, '_sum'],
      ['', total, '_count'],
    ];
  };
}

/** OpenMetrics names the family of a counter without the `_total` of its samples. */
export function headOf({ name, help, type }: Omit<Family, 'samples'>, format: TextFormat): string {
  const family = format === 'openmetrics' && type === 'counter' ? name.replace(/_total$/, '') : name;
  return `# HELP ${family} ${help}\n# TYPE ${family} ${type}\n`;
}

/** The lines of the samples; `labels` stand before those of each. */
export function linesOf(name: string, samples: readonly MetricSample[], labels = ''): string {
  let text = '';
  for (const [own, value, suffix = ''] of samples) {
    if (value === null) continue;
    const all = joined(labels, own);
    text += `${name}${suffix}${all === '' ? '' : `{${all}}`} ${String(value)}\n`;
  }
  return text;
}

const joined = (some: string, more: string): string =>
  some === '' || more === '' ? `${some}${more}` : `${some},${more}`;
