// FSD: forced shutdown. It depends only on the status word; supervisor/policy/trigger/fsd-latch.ts has its states.
import { trigger } from './trigger.js';

export const fsd = trigger({
  name: 'FSD',
  words: 'forced shutdown',
  keys: {},
  settings: () => ({}),
  outlook: () => ['forced shutdown', 'FSD in the status, also on line power'],
});
