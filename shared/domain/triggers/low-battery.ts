// LOW_BATTERY: the charge.
import { formatNumber } from '../base/format.js';
import { number } from '../base/keys.js';
import { batteryTrigger, below, charge, doubtLeftMs, read } from './trigger.js';

export const lowBattery = batteryTrigger({
  name: 'LOW_BATTERY',
  words: 'low charge',
  keys: { low_battery_threshold: number(0, 100, 'percent', 20) },
  settings: (keys) => ({ lowBatteryPercent: keys.lowBatteryThreshold }),
  sources: ['battery', 'unknown', 'contradicted'],
  isOn: (settings) => settings.lowBatteryPercent > 0,
  isMet: (facts, settings) =>
    facts.chargePercent === null ? null : facts.chargePercent < settings.lowBatteryPercent,
  quantity: charge,
  doubtMs: (settings, facts) => doubtLeftMs('charge', settings.lowBatteryPercent, settings, facts),
  reason: (facts, { lowBatteryPercent }) =>
    `charge ${read(facts.chargePercent, '%')} below low_battery_threshold ${formatNumber(lowBatteryPercent)} %`,
  limit: ({ lowBatteryPercent }) => `charge below ${formatNumber(lowBatteryPercent)} %`,
  measure: (facts, { lowBatteryPercent }) => below('charge', facts.chargePercent, lowBatteryPercent, '%'),
  untilMet: (course, threshold) => course.untilCharge(threshold),
  outlook: ({ lowBatteryPercent }) => [
    'charge',
    lowBatteryPercent > 0 ? `below ${String(lowBatteryPercent)} %` : 'ignored',
  ],
});
