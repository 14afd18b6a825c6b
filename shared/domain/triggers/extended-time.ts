// EXTENDED_TIME: the time on battery. Needs no reading of the battery.
import { formatMs } from '../format.js';
import { day, ms, onOff, seconds, table } from './keys.js';
import { above, batteryTrigger } from './trigger.js';

export const extendedTime = batteryTrigger({
  name: 'EXTENDED_TIME',
  words: 'long outage',
  keys: { extended_time: table({ enabled: onOff(true), threshold: seconds(0, 7 * day, 900) }) },
  settings: ({ extended_time: { enabled, threshold } }) => ({
    extendedTime: { enabled, thresholdMs: ms(threshold) },
  }),
  isOn: (settings) => settings.extendedTime.enabled,
  isMet: (facts, settings) =>
    settings.extendedTime.enabled && facts.onBatteryMs > settings.extendedTime.thresholdMs,
  reason: (facts, settings) =>
    `on battery for ${formatMs(facts.onBatteryMs)}, longer than extended_time.threshold ${formatMs(settings.extendedTime.thresholdMs)}`,
  limit: (settings) => `more than ${formatMs(settings.extendedTime.thresholdMs)} on battery`,
  measure: (facts, settings) =>
    above(
      'time on battery',
      Math.floor(facts.onBatteryMs / 1000),
      settings.extendedTime.thresholdMs / 1000,
      's',
    ),
  untilMet: (course, threshold) => threshold * 1000 - course.onBatteryMs,
  outlook: ({ extendedTime: { enabled, thresholdMs } }, { duration }) => [
    'time on battery',
    enabled ? `more than ${duration(thresholdMs / 1000)}` : 'ignored',
  ],
});
