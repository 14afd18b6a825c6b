// Waits until the server that the step `commandedBy` commands is off, `timeoutSeconds` after its command at most.
import * as t from 'io-ts';
import { finite } from '../base/units.js';
import { kind } from './kind.js';

export const awaitOff = kind({
  name: 'awaitOff',
  properties: {
    server: t.string,
    commandedBy: t.string,
    timeoutSeconds: finite,
    /** The bound of the steps that follow, without waits: with less runtime left nothing waits. */
    followsSeconds: finite,
  },
  words: ({ server, timeoutSeconds }) =>
    `wait until ${server} is off, for ${String(timeoutSeconds)} s at most`,
  details: (_, limit) => [`waits until it is off (${limit} after its command)`],
  // The worker may know already that it is off.
  leastSeconds: () => 1,
});
