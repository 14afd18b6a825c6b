// FSD: forced shutdown. It acts on the word alone; its states are supervisor/policy/fsd.ts.
import { trigger } from './trigger.js';

export const fsd = trigger({
  name: 'FSD',
  words: 'forced shutdown',
  keys: {},
  settings: () => ({}),
  outlook: () => ['forced shutdown', 'FSD in the status, also on line power'],
});
