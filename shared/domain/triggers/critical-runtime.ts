// CRITICAL_RUNTIME: the runtime that the UPS estimates, or the estimate of the daemon where the configuration says so.
import { formatMs, formatNumber } from '../base/format.js';
import { day, seconds, word } from '../base/keys.js';
import type { Facts } from './trigger.js';
import { batteryTrigger, below, doubtLeftMs, read, runtime } from './trigger.js';

interface Settings {
  readonly criticalRuntimeSeconds: number;
  readonly runtimeSource: 'ups' | 'estimated';
}

export const criticalRuntime = batteryTrigger({
  name: 'CRITICAL_RUNTIME',
  words: 'short runtime',
  keys: {
    critical_runtime_threshold: seconds(0, day, 600),
    runtime_source: word(['ups', 'estimated'], 'ups'),
  },
  settings: (keys): Settings => ({
    criticalRuntimeSeconds: keys.criticalRuntimeThresholdSeconds,
    runtimeSource: keys.runtimeSource,
  }),
  sources: ['battery', 'unknown', 'contradicted'],
  isOn: (settings) => settings.criticalRuntimeSeconds > 0,
  isMet: (facts, settings) => {
    const runtime = usedRuntime(facts, settings);
    return runtime === null ? null : runtime < settings.criticalRuntimeSeconds;
  },
  quantity: runtime,
  doubtMs: (settings, facts) =>
    isEstimated(facts, settings)
      ? 0
      : doubtLeftMs('runtime', settings.criticalRuntimeSeconds, settings, facts),
  reason: (facts, settings) =>
    `${nameOf(facts, settings)} ${read(usedRuntime(facts, settings), 's')} below critical_runtime_threshold ${formatNumber(settings.criticalRuntimeSeconds)} s`,
  limit: ({ criticalRuntimeSeconds }) => `runtime below ${formatMs(criticalRuntimeSeconds * 1000)}`,
  measure: (facts, settings) => {
    const { criticalRuntimeSeconds } = settings;
    const name = nameOf(facts, settings);
    const measure = below(name, usedRuntime(facts, settings), criticalRuntimeSeconds, 's');
    return { ...measure, words: measure.words + besides(facts, settings) };
  },
  untilMet: (course, threshold) => course.untilRuntime(threshold),
  outlook: ({ criticalRuntimeSeconds, runtimeSource }, { duration }) => [
    'runtime',
    criticalRuntimeSeconds === 0
      ? 'ignored'
      : `below ${duration(criticalRuntimeSeconds)}${runtimeSource === 'ups' ? '' : ', estimated from earlier discharges'}`,
  ],
});

/** Of an estimate the lower end of its band: the battery lasts that long in nine cases of ten. */
export function usedRuntime(
  { estimate, runtimeSeconds }: Pick<Facts, 'estimate' | 'runtimeSeconds'>,
  settings: Settings,
): number | null {
  if (settings.runtimeSource === 'ups' || estimate === null) return runtimeSeconds;
  return Math.max(0, estimate.seconds - estimate.errorSeconds);
}

const isEstimated = ({ estimate }: Facts, { runtimeSource }: Settings): boolean =>
  runtimeSource === 'estimated' && estimate !== null;

function nameOf(facts: Facts, settings: Settings): string {
  return isEstimated(facts, settings) ? 'estimated runtime' : 'runtime';
}

/** The estimate beside what counts. */
function besides({ estimate, runtimeSeconds }: Facts, { runtimeSource }: Settings): string {
  if (estimate === null || (runtimeSource === 'ups' && runtimeSeconds !== null)) return '';
  const band = `${formatNumber(estimate.seconds)} s, give or take ${formatNumber(estimate.errorSeconds)} s`;
  return runtimeSource === 'estimated'
    ? ` (from earlier discharges: ${band}; the lower end counts)`
    : ` (from earlier discharges: ${band}; it counts only with runtime_source = "estimated")`;
}
