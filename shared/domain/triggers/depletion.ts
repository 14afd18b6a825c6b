// DEPLETION: how fast the charge falls, not counted in the first seconds on battery.
import { formatMs, formatNumber } from '../format.js';
import type { Unit } from './keys.js';
import { day, ms, number, seconds, table } from './keys.js';
import { above, batteryTrigger, charge, read } from './trigger.js';

const percentPerMinute: Unit = { words: 'percent per minute', symbol: '%/min' };

/** All of a battery in less than a second: the trigger is off. */
const offRate = 10_000;

export const depletion = batteryTrigger({
  name: 'DEPLETION',
  words: 'fast drain',
  keys: {
    depletion: table({
      window: seconds(1, day, 300),
      critical_rate: number(0.01, offRate, percentPerMinute, 15),
      grace_period: seconds(0, day, 90),
    }),
  },
  settings: (keys) => ({
    depletion: {
      windowMs: ms(keys.depletion.window),
      criticalRate: keys.depletion.critical_rate,
      graceMs: ms(keys.depletion.grace_period),
    },
  }),
  isOn: (settings) => settings.depletion.criticalRate < offRate,
  isMet: (facts, settings) =>
    facts.depletionRate === null
      ? null
      : facts.depletionRate > settings.depletion.criticalRate &&
        facts.onBatteryMs >= settings.depletion.graceMs,
  quantity: charge,
  reason: (facts, settings) =>
    `depletion ${read(facts.depletionRate, '%/min')} above depletion.critical_rate ${formatNumber(settings.depletion.criticalRate)} %/min`,
  limit: (settings) => `depletion above ${formatNumber(settings.depletion.criticalRate)} %/min`,
  measure: (facts, settings) =>
    above('depletion', facts.depletionRate, settings.depletion.criticalRate, '%/min'),
  unmet: ({ chargePercent, depletionRate }, { depletion: { criticalRate, graceMs } }, onBatteryMs) => {
    if (depletionRate === null) return chargePercent === null ? null : 'too few readings on battery yet';
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
  outlook: ({ depletion: { criticalRate, graceMs } }, { duration }) => [
    'charge falls',
    criticalRate < offRate
      ? `faster than ${String(criticalRate)} % a minute, after ${duration(graceMs / 1000)} on battery`
      : 'ignored',
  ],
});
