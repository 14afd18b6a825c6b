// FAILSAFE: a UPS on battery that cannot be read. It uses no reading; supervisor/policy/decision/failsafe-delay.ts evaluates it.
import { duration, number } from '../base/keys.js';
import { trigger } from './trigger.js';

/** A walk of snmp-ups that fails is 30 s of DATA-STALE, and a reconnection of usbhid-ups about 20 s. */
export const longestStaleMs = 60_000;

export const failsafe = trigger({
  name: 'FAILSAFE',
  words: 'connection lost on battery',
  keys: { failsafe_delay: duration(0, 3600, 15), failsafe_share: number(0, 1, 'of the last runtime', 0.02) },
  settings: (keys) => ({ failsafeMs: keys.failsafeDelayMs, failsafeShare: keys.failsafeShare }),
  outlook: ({ failsafeMs, failsafeShare }, { toleratedPolls, duration }) => {
    const usual = `${String(toleratedPolls)} failed polls and ${duration(failsafeMs / 1000)} without a reading, while on battery`;
    const isLonger = failsafeShare > 0 && failsafeMs < longestStaleMs;
    const stale = `; with DATA-STALE and a good battery ${String(failsafeShare)} of the last runtime, up to ${duration(longestStaleMs / 1000)} (failsafe_share)`;
    return ['connection lost', isLonger ? usual + stale : usual];
  },
});
