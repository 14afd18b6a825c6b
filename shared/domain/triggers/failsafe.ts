// FAILSAFE: a UPS on battery that cannot be read. Only the wait for a stale driver uses its last reading; supervisor/policy/decision/failsafe-delay.ts evaluates it.
import { duration, number } from '../base/keys.js';
import { trigger } from './trigger.js';

/** A walk of snmp-ups that fails is 30 s of DATA-STALE, and a reconnection of usbhid-ups about 20 s. */
export const longestStaleMs = 60_000;

export const failsafe = trigger({
  name: 'FAILSAFE',
  words: 'connection lost on battery',
  keys: { failsafe_delay: duration(0, 3600, 15), failsafe_share: number(0, 1, 'of the last runtime', 0.02) },
  settings: (keys) => ({ failsafeMs: keys.failsafeDelayMs, failsafeShare: keys.failsafeShare }),
  outlook: (settings, { toleratedPolls, duration }) => {
    const { failsafeMs, failsafeShare, lowBatteryPercent, criticalRuntimeSeconds } = settings;
    const usual = `${String(toleratedPolls)} failed polls and ${duration(failsafeMs / 1000)} without a reading, while on battery`;
    // Without a threshold no battery is good.
    const hasThresholds = lowBatteryPercent > 0 && criticalRuntimeSeconds > 0;
    const isLonger = hasThresholds && failsafeShare > 0 && failsafeMs < longestStaleMs;
    const stale = `; with DATA-STALE and a good battery ${String(failsafeShare)} of the last runtime, up to ${duration(longestStaleMs / 1000)} (failsafe_share)`;
    return ['connection lost', isLonger ? usual + stale : usual];
  },
});
