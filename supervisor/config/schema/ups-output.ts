// [ups_output], also under [[ups]]: telling the UPS to cut its output as the very last step.
import * as t from 'io-ts';
import { optional } from './key.js';
import { seconds, textThat } from './values.js';

/** Those that wait for the delay. `load.off` and `shutdown.reboot` cut at once, under machines that still write. */
const delayed = ['shutdown.return', 'shutdown.stayoff', 'shutdown.reboot.graceful', 'load.off.delay'];

const outputCommand = textThat(
  `a NUT command that cuts power after a delay (${delayed.join(', ')})`,
  (text) => delayed.includes(text),
);

export const upsOutputKeys = {
  off_after_shutdown: optional(t.boolean, false),
  command: optional(outputCommand, 'shutdown.return'),
  // Below a minute a machine that is slow to halt would lose its power while it still writes.
  off_delay: optional(seconds(60, 3600), 120),
};
