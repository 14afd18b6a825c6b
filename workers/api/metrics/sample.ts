// A metric computed from the read model at the scrape. The supervisor counts; a restart of this worker resets nothing.
import type { Gauge, Registry } from 'prom-client';

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels: Labels;
  /** Null has no sample: a missing reading is neither 0 nor NaN. */
  readonly value: number | null;
  /** Where it differs from the name of the metric: `_bucket`, `_sum`, `_count`. */
  readonly metricName?: string;
}

export interface Derived {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly samples: () => readonly Sample[];
}

/** Registers the metric; prom-client requests the values and formats the text. */
export function derive(registry: Registry, { name, help, type, samples }: Derived): void {
  const get = () =>
    Promise.resolve({ name, help, type, values: samples().filter(({ value }) => value !== null) });
  // The registry uses only the name and `get` of a metric. The classes of its type would do their own counting.
  registry.registerMetric({ name, get } as unknown as Gauge);
}

/** One sample per possible state: 1 for the current one, 0 for the others. */
export function oneOfStates(
  labels: Labels,
  label: string,
  possible: readonly string[],
  current: string,
): readonly Sample[] {
  return possible.map((state) => ({
    labels: { ...labels, [label]: state },
    value: state === current ? 1 : 0,
  }));
}

/** `le` as OpenMetrics wants it, in both formats: another text would be another series. */
export function boundText(bound: number): string {
  if (bound === Infinity) return '+Inf';
  return Number.isInteger(bound) ? `${String(bound)}.0` : String(bound);
}

/** The samples of one histogram from counts per bucket, not cumulative; the last is +Inf. */
export function histogram(
  name: string,
  labels: Labels,
  bounds: readonly number[],
  { counts, sum }: { readonly counts: readonly number[]; readonly sum: number },
): readonly Sample[] {
  let total = 0;
  const buckets = [...bounds, Infinity].map(boundText).map((le, index) => {
    total += counts[index] ?? 0;
    return { labels: { ...labels, le }, value: total, metricName: `${name}_bucket` };
  });
  return [
    ...buckets,
    { labels, value: sum, metricName: `${name}_sum` },
    { labels, value: total, metricName: `${name}_count` },
  ];
}
