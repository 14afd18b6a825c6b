// Counts one sample of an outage: the lowest charge and runtime, and the energy drawn, by the power that [energy] counts. Pure.
import { metricOf } from '../../../shared/domain/status/metrics.js';
import type { SampleRecord } from '../../../shared/protocol/storage.js';

/** A longer time between two samples is a gap: what was drawn in it is not known. */
const longestStepMs = 120_000;

/** Null: no sample had the value. `last` in Unix ms, `watts` those of the last sample. */
export interface SampleCounts {
  readonly last: number | null;
  readonly watts: number | null;
  readonly lowCharge: number | null;
  readonly lowRuntime: number | null;
  readonly joules: number | null;
  /** As of `Power`, the highest of its parts. */
  readonly estimated: number;
}

/** The sums with one more sample, if it is later than the last one and in the outage, from `startedMs` to `endedMs`. */
export function addToCounts(
  before: SampleCounts,
  startedMs: number,
  endedMs: number,
  { atMs: last, values, power }: Pick<SampleRecord, 'values' | 'power'> & { readonly atMs: number },
): SampleCounts {
  if (last < startedMs || last > endedMs || last <= (before.last ?? -Infinity)) return before;
  const value = (name: Parameters<typeof metricOf>[0]): number | null =>
    values[metricOf(name).number] ?? null;
  // With energy.enabled = false a sample has no power.
  const watts = power?.watts ?? value('real_power');
  const stepMs = last - (before.last ?? last);
  const joules =
    watts === null || before.watts === null || stepMs === 0 || stepMs > longestStepMs
      ? null
      : (((before.watts + watts) / 2) * stepMs) / 1000;
  return {
    last,
    watts,
    lowCharge: lowest(before.lowCharge, value('charge')),
    lowRuntime: lowest(before.lowRuntime, value('runtime')),
    joules: joules === null ? before.joules : (before.joules ?? 0) + joules,
    estimated: joules === null ? before.estimated : Math.max(before.estimated, power?.estimated ?? 0),
  };
}

function lowest(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b;
  return Math.min(a, b);
}
