// EXTENDED_TIME: the time on battery, with that of the outages before (supervisor/policy/power/battery-time.ts). Needs no reading of the battery.
import { formatMs } from '../base/format.js';
import { day, duration, onOff, table } from '../base/keys.js';
import type { Facts } from './trigger.js';
import { above, batteryTrigger } from './trigger.js';

const withEarlier = ({ batteryTimeMs, onBatteryMs }: Facts): string =>
  batteryTimeMs > onBatteryMs ? ' with the outages before' : '';

export const extendedTime = batteryTrigger({
  name: 'EXTENDED_TIME',
  words: 'long outage',
  keys: { extended_time: table({ enabled: onOff(true), threshold: duration(0, 7 * day, 900) }) },
  settings: ({ extendedTime }) => ({ extendedTime }),
  isOn: (settings) => settings.extendedTime.enabled,
  isMet: (facts, settings) =>
    settings.extendedTime.enabled && facts.batteryTimeMs > settings.extendedTime.thresholdMs,
  reason: (facts, settings) =>
    `on battery for ${formatMs(facts.batteryTimeMs)}${withEarlier(facts)}, longer than extended_time.threshold ${formatMs(settings.extendedTime.thresholdMs)}`,
  limit: (settings) => `more than ${formatMs(settings.extendedTime.thresholdMs)} on battery`,
  measure: (facts, settings) => {
    const seconds = Math.floor(facts.batteryTimeMs / 1000);
    const measure = above('time on battery', seconds, settings.extendedTime.thresholdMs / 1000, 's');
    const words = measure.words.replace(',', `${withEarlier(facts)},`);
    return { ...measure, words: `${words} (extended_time.threshold)` };
  },
  untilMet: (course, threshold) => threshold * 1000 - course.batteryTimeMs,
  outlook: ({ extendedTime: { enabled, thresholdMs } }, { duration }) => [
    'time on battery',
    enabled
      ? `more than ${duration(thresholdMs / 1000)}, with that of outages before (extended_time.threshold)`
      : 'ignored',
  ],
});
