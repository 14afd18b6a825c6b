// "OFF together with OL": some drivers always show both. What stood first decides (specification/policy.md#member-health).
import type { Variables } from '../../../shared/domain/ups/reading.js';
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import { hasOutlasted, holds } from './doubt.js';

export interface OffOnLine {
  /** Null: not known yet. */
  readonly always: boolean | null;
  /** The times of the last readings with OL and without OB that agree on OFF. */
  readonly alike: { readonly off: boolean; readonly timesMs: readonly number[] };
}

export const notOnLine: OffOnLine = { always: null, alike: { off: false, timesMs: [] } };

/** "In `confirmations` readings in a row that are further apart than the hold of the status", whatever `critical_runtime_threshold` and a shorter `status_hold` say. */
export function offOnLineAfter(
  before: OffOnLine,
  words: readonly string[],
  { askedMs, atMs }: { readonly askedMs: number; readonly atMs: number },
  variables: Variables,
  { holds: set, triggers }: UpsSettings,
): OffOnLine {
  if (before.always !== null || !words.includes('OL') || words.includes('OB')) return before;
  const off = words.includes('OFF');
  const { alike } = before;
  const timesMs = [...(alike.off === off ? alike.timesMs : []), atMs];
  const [firstMs = atMs] = timesMs;
  const holdMs = (given: UpsSettings['holds']) =>
    holds(variables, given, { criticalRuntimeSeconds: 0 }).status;
  const longestMs = Math.max(holdMs(set), holdMs({ valueMs: null, statusMs: null }));
  const isLong = hasOutlasted(firstMs, askedMs, longestMs);
  return { always: isLong && timesMs.length >= triggers.confirmations ? off : null, alike: { off, timesMs } };
}
