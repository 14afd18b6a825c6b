// The final commands alone of those of these servers that never got it. Nothing waits for it.
import * as t from 'io-ts';
import { kind } from './kind.js';
import { RemoteWork } from './remote-work.js';

export const commandAgain = kind({
  name: 'commandAgain',
  properties: { works: t.readonlyArray(RemoteWork) },
  words: ({ works }) =>
    `try the final command again on servers that never got it, of: ${works.map(({ server }) => server).join(', ')}`,
  // In every plan with servers, and never a step that something follows.
  outlook: () => [],
  // It ends with the other steps of its phase.
  leastSeconds: (_, budgetSeconds) => budgetSeconds,
});
