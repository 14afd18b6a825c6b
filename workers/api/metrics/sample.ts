// A metric computed from the read model at the moment of the scrape. The numbers live in the supervisor; nothing is
// counted here, so a restart of this worker resets nothing.
import type { Gauge, Registry } from 'prom-client';

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels: Labels;
  /** Null has no sample: a missing reading is neither 0 nor NaN. */
  readonly value: number | null;
  /** Where it is not the metric's own: `_bucket`, `_sum`, `_count`. */
  readonly metricName?: string;
}

export interface Derived {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly samples: () => readonly Sample[];
}

/** Registers it; prom-client asks for the values and writes and escapes the text. */
export function derive(registry: Registry, { name, help, type, samples }: Derived): void {
  const get = () =>
    Promise.resolve({ name, help, type, values: samples().filter(({ value }) => value !== null) });
  // Of a registered metric the registry uses its name and `get` alone; the classes it is typed for count by themselves.
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

/** The samples of one histogram from counts per bucket, not cumulative, the last of them +Inf. */
export function histogram(
  name: string,
  labels: Labels,
  bounds: readonly number[],
  { counts, sum }: { readonly counts: readonly number[]; readonly sum: number },
): readonly Sample[] {
  let total = 0;
  const buckets = [...bounds.map(String), '+Inf'].map((le, index) => {
    total += counts[index] ?? 0;
    return { labels: { ...labels, le }, value: total, metricName: `${name}_bucket` };
  });
  return [
    ...buckets,
    { labels, value: sum, metricName: `${name}_sum` },
    { labels, value: total, metricName: `${name}_count` },
  ];
}
