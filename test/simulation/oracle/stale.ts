// "Failsafe" of specification/policy.md: how long a driver may be stale whose server answers.
import type { UpsSettings } from '../../../supervisor/policy/base/inputs.js';
import { crossedFar, fellFar, hasOutlasted, holds } from './doubt.js';
import { heardAfter, lesser } from './only-stale.js';
import type { UpsHistory } from './ups-history.js';

/** "failsafe_share x last runtime, at most 60 s"; 0 where the last reading shows no good battery. */
export function goodBatteryMs({ last, charge, runtime, variables }: UpsHistory, policy: UpsSettings): number {
  const { lowBatteryPercent: low, criticalRuntimeSeconds: critical, failsafeShare } = policy.triggers;
  const percent = last?.chargePercent ?? null;
  const seconds = last?.runtimeSeconds ?? null;
  if (last === null || percent === null || seconds === null || low === 0 || critical === 0) return 0;
  if (last.words.includes('LB') || last.words.includes('RB')) return 0;
  const { value } = holds(variables, policy.holds, policy.triggers);
  const isDoubted =
    ((fellFar.charge(charge) || crossedFar('charge', charge, low)) &&
      !hasOutlasted(charge.changedMs, last.atMs, value)) ||
    ((fellFar.runtime(runtime) || crossedFar('runtime', runtime, critical)) &&
      !hasOutlasted(runtime.changedMs, last.atMs, value));
  if (isDoubted || percent <= 2 * low || seconds <= 2 * critical) return 0;
  return Math.min(60_000, 1000 * failsafeShare * seconds);
}

/** The shortest and the longest that the failsafe may wait now. */
export function failsafeWait(
  history: UpsHistory,
  policy: UpsSettings,
  watchedMs: number,
): { readonly leastMs: number; readonly mostMs: number } {
  const usualMs = policy.triggers.failsafeMs;
  const staleMs = history.failedPolls > 0 ? Math.max(usualMs, goodBatteryMs(history, policy)) : usualMs;
  const now = lesser(history.onlyStale, heardAfter(watchedMs - history.lastReportMs, policy));
  return { leastMs: now === 'yes' ? staleMs : usualMs, mostMs: now === 'no' ? usualMs : staleMs };
}
