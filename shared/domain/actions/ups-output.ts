// Makes the UPS cut its output `offDelaySeconds` later; whether it restores it when mains is back is up to the UPS.
import * as t from 'io-ts';
import { formatSetting } from '../base/duration.js';
import { finite } from '../base/units.js';
import { kind, nutCommandSeconds } from './kind.js';

export const upsOutputOff = kind({
  name: 'upsOutputOff',
  properties: {
    /** groupId of the UPS, which may be a member of the plan's redundancy group. */
    ups: t.string,
    command: t.string,
    offDelaySeconds: finite,
  },
  words: ({ ups, command, offDelaySeconds }) =>
    `tell the UPS ${ups} to cut its output in ${String(offDelaySeconds)} s (${command})`,
  details: ({ command, offDelaySeconds }, limit) => [
    `${command}, ${formatSetting(offDelaySeconds)} later (${limit})`,
  ],
  leastSeconds: () => nutCommandSeconds,
  outputOf: ({ ups }) => ups,
});
