// [[hooks]]: programs of the operator that run at events.
import { duration, key, onOff, required } from '../../../shared/domain/base/keys.js';
import { commandLine } from './command.js';
import { eventName } from './event-name.js';
import { filledLine, listUpTo } from './values.js';

export const hookKeys = {
  on: required(listUpTo(200, eventName)),
  ups: key(listUpTo(1100, filledLine(256)), []),
  after: duration(0, 86_400, 0),
  cancel_on: key(listUpTo(200, eventName), []),
  command: required(commandLine(false)),
  timeout: duration(0.1, 3600, 60),
  in_dry_run: onOff(false),
};
