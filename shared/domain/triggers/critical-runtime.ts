// CRITICAL_RUNTIME: the runtime that the UPS estimates.
import { formatMs, formatNumber } from '../format.js';
import { day, seconds } from './keys.js';
import { batteryTrigger, below, read } from './trigger.js';

export const criticalRuntime = batteryTrigger({
  name: 'CRITICAL_RUNTIME',
  words: 'short runtime',
  keys: { critical_runtime_threshold: seconds(0, day, 600) },
  settings: (keys) => ({ criticalRuntimeSeconds: keys.critical_runtime_threshold }),
  isMet: (facts, settings) =>
    facts.runtimeSeconds === null ? null : facts.runtimeSeconds < settings.criticalRuntimeSeconds,
  refusal: 'runtime',
  reason: (facts, { criticalRuntimeSeconds }) =>
    `runtime ${read(facts.runtimeSeconds, 's')} below critical_runtime_threshold ${formatNumber(criticalRuntimeSeconds)} s`,
  limit: ({ criticalRuntimeSeconds }) => `runtime below ${formatMs(criticalRuntimeSeconds * 1000)}`,
  measure: (facts, { criticalRuntimeSeconds }) =>
    below('runtime', facts.runtimeSeconds, criticalRuntimeSeconds, 's'),
  untilMet: (course, threshold) => course.untilRuntime(threshold),
  outlook: ({ criticalRuntimeSeconds }, { duration }) => [
    'runtime',
    criticalRuntimeSeconds > 0 ? `below ${duration(criticalRuntimeSeconds)}` : 'ignored',
  ],
});
