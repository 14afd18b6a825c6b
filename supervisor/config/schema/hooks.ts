// [[hooks]]: programs of the operator that run at events.
import * as t from 'io-ts';
import { commandLine } from './command.js';
import { eventName } from './event-name.js';
import { optional, required } from './key.js';
import { filledLine, listUpTo, seconds } from './values.js';

export const hookKeys = {
  on: required(listUpTo(200, eventName)),
  ups: optional(listUpTo(1100, filledLine(256)), []),
  after: optional(seconds(0, 86_400), 0),
  cancel_on: optional(listUpTo(200, eventName), []),
  command: required(commandLine(false)),
  timeout: optional(seconds(0.1, 3600), 60),
  in_dry_run: optional(t.boolean, false),
};
