// FAILSAFE: a UPS on battery that cannot be read. It uses no reading; supervisor/policy/failsafe-delay.ts evaluates it.
import { ms, seconds } from './keys.js';
import { trigger } from './trigger.js';

export const failsafe = trigger({
  name: 'FAILSAFE',
  words: 'connection lost on battery',
  keys: { failsafe_delay: seconds(0, 3600, 15) },
  settings: (keys) => ({ failsafeMs: ms(keys.failsafe_delay) }),
  outlook: ({ failsafeMs }, { toleratedPolls, duration }) => [
    'connection lost',
    `${String(toleratedPolls)} failed polls and ${duration(failsafeMs / 1000)} without a reading, while on battery`,
  ],
});
