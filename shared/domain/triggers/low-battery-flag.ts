// LOW_BATTERY_FLAG: LB, the UPS's own verdict.
import { onOff } from './keys.js';
import { batteryTrigger } from './trigger.js';

/** LB waits only as long as a UPS needs to settle after a transfer. */
const maxDelayMs = 5_000;

export const lowBatteryFlag = batteryTrigger({
  name: 'LOW_BATTERY_FLAG',
  words: 'low-battery flag',
  keys: { trigger_on_low_battery_flag: onOff(true) },
  settings: (keys) => ({ lowBatteryFlag: keys.trigger_on_low_battery_flag }),
  isOn: (settings) => settings.lowBatteryFlag,
  isMet: (facts, settings) => settings.lowBatteryFlag && facts.lowBatteryFlag,
  delayMs: (settings) => Math.min(settings.stabilizationMs, maxDelayMs),
  inhibit: 'calibration at LB',
  reason: () => 'the UPS reports a low battery (LB)',
  limit: () => 'the LB flag',
  measure: ({ lowBatteryFlag: isShown }) => ({
    what: 'LB',
    threshold: null,
    reading: isShown ? 1 : 0,
    margin: null,
    words: isShown ? 'LB is shown' : 'no LB',
  }),
  outlook: (settings) => {
    const flag = settings.stabilizationMs > maxDelayMs ? 'LB; waits 5 s at most' : 'LB';
    return ['low-battery flag', settings.lowBatteryFlag ? flag : 'ignored'];
  },
});
