// [ups_output], also under [[ups]]: telling the UPS to cut its output as the very last step.
import * as t from 'io-ts';
import { optional } from './key.js';
import { seconds, textThat } from './values.js';

const outputCommand = textThat('a NUT command such as "shutdown.return"', (text) =>
  /^(?:shutdown(?:\.[a-z]+)+|load\.off(?:\.[a-z]+)*)$/.test(text),
);

export const upsOutputKeys = {
  off_after_shutdown: optional(t.boolean, false),
  command: optional(outputCommand, 'shutdown.return'),
  // Below a minute a machine that is slow to halt would lose its power while it still writes.
  off_delay: optional(seconds(60, 3600), 120),
};
