// Sets FSD at the NUT server of the UPS, and waits until the other hosts have logged out, `hostsyncSeconds` at most.
import * as t from 'io-ts';
import { finite } from '../base/units.js';
import { kind, nutCommandSeconds } from './kind.js';

export const forceShutdown = kind({
  name: 'forceShutdown',
  properties: { ups: t.string, hostsyncSeconds: finite },
  words: ({ hostsyncSeconds }, target) =>
    `set FSD at the NUT server of ${target}, and wait until the other hosts have logged out, for ${String(hostsyncSeconds)} s at most`,
  details: (_, limit, early) => [`FSD, then waits until the other hosts have logged out (${limit})${early}`],
  leastSeconds: () => nutCommandSeconds,
});
