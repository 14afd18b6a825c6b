// DEPLETION: how fast the charge falls, not counted in the first seconds on battery.
import { formatMs, formatNumber } from '../base/format.js';
import { day, duration, number, table } from '../base/keys.js';
import type { CommonSettings } from './trigger.js';
import { above, batteryTrigger, charge, read } from './trigger.js';

/** All of a battery in less than a second: the trigger is off. */
const offRate = 10_000;
/** A runtime above this many times its threshold contradicts the rate. */
const longShare = 2;

export const depletion = batteryTrigger({
  name: 'DEPLETION',
  words: 'fast drain',
  keys: {
    depletion: table({
      window: duration(1, day, 300),
      critical_rate: number(0.01, offRate, 'percent per minute', 15),
      grace_period: duration(0, day, 90),
      runtime_hold: duration(0, 600, 120),
    }),
  },
  settings: ({ depletion: { gracePeriodMs, ...others } }) => ({
    depletion: { ...others, graceMs: gracePeriodMs },
  }),
  isOn: (settings) => settings.depletion.criticalRate < offRate,
  // A charge without a rate has not fallen fast: what was met before it is not met any more.
  isMet: ({ chargePercent, depletionRate, onBatteryMs }, { depletion: { criticalRate, graceMs } }) =>
    chargePercent === null
      ? null
      : depletionRate !== null && depletionRate > criticalRate && onBatteryMs >= graceMs,
  quantity: charge,
  doubtKey: 'depletion.runtime_hold',
  doubtMs: ({ depletion: { runtimeHoldMs }, criticalRuntimeSeconds }, { coarseRateMs, runtimeSeconds }) => {
    const isLong = criticalRuntimeSeconds > 0 && (runtimeSeconds ?? 0) > longShare * criticalRuntimeSeconds;
    return coarseRateMs === null || !isLong ? 0 : Math.max(0, runtimeHoldMs - coarseRateMs);
  },
  reason: (facts, settings) =>
    `depletion ${read(facts.depletionRate, '%/min')} above depletion.critical_rate ${formatNumber(settings.depletion.criticalRate)} %/min`,
  limit: (settings) => `depletion above ${formatNumber(settings.depletion.criticalRate)} %/min`,
  measure: (facts, settings) => {
    const measure = above('depletion', facts.depletionRate, settings.depletion.criticalRate, '%/min');
    // Of a rate that waits, the explanation says how long.
    const held = facts.depletionRate === null ? coarseWait(settings, formatMs) : '';
    return { ...measure, words: measure.words + held };
  },
  unmet: ({ chargePercent, depletionRate }, { depletion: { criticalRate, graceMs } }, onBatteryMs) => {
    if (depletionRate === null)
      return chargePercent === null ? null : 'no rate yet: it needs two falls of the charge';
    // Shown, because the numbers alone would look like a trigger that should fire.
    const leftMs = graceMs - onBatteryMs;
    return depletionRate > criticalRate && leftMs > 0
      ? `not counted before ${formatMs(leftMs + 999)} more on battery (depletion.grace_period)`
      : null;
  },
  // Above the rate only the grace period delays it.
  untilMet: ({ depletionRate, onBatteryMs }, criticalRate, settings) =>
    settings !== null && depletionRate !== null && depletionRate > criticalRate
      ? settings.depletion.graceMs - onBatteryMs
      : null,
  outlook: (settings, { duration }) => {
    const { criticalRate, graceMs } = settings.depletion;
    if (criticalRate >= offRate) return ['charge falls', 'ignored'];
    const after = `after ${duration(graceMs / 1000)} on battery`;
    const held = coarseWait(settings, (ms) => duration(ms / 1000));
    return ['charge falls', `faster than ${String(criticalRate)} % a minute, ${after}${held}`];
  },
});

/** How long a rate waits that may be one step of a coarse gauge. */
function coarseWait(
  {
    depletion,
    criticalRuntimeSeconds,
  }: { depletion: { criticalRate: number; runtimeHoldMs: number } } & CommonSettings,
  inWords: (ms: number) => string,
): string {
  const { criticalRate, runtimeHoldMs } = depletion;
  if (criticalRate >= offRate || runtimeHoldMs === 0 || criticalRuntimeSeconds === 0) return '';
  return `; two falls alone ${inWords(runtimeHoldMs)} later, where the runtime contradicts them (depletion.runtime_hold)`;
}
