// One record of the log, before it is formatted (specification/logs.md#json-form).
import * as t from 'io-ts';
import { finite, oneOf, textUpTo } from '../base/units.js';

export const LogLevel = oneOf('debug', 'info', 'warning', 'error');
export type LogLevel = t.TypeOf<typeof LogLevel>;

export const LogRecord = t.readonly(
  t.intersection([
    t.type({
      /** Unix seconds, fractional. */
      timestamp: finite,
      level: LogLevel,
      /** The source: `supervisor`, `policy`, `poller:office-127.0.0.1-3493`, `api`. */
      logger: textUpTo(256),
      message: textUpTo(4096),
    }),
    t.partial({
      category: textUpTo(64),
      event_type: textUpTo(64),
      group: textUpTo(256),
      ups: textUpTo(256),
      server: textUpTo(256),
    }),
  ]),
  'LogRecord',
);
export type LogRecord = t.TypeOf<typeof LogRecord>;

/** The optional fields of a record. */
export type LogFields = Partial<Pick<LogRecord, 'category' | 'event_type' | 'group' | 'ups' | 'server'>>;
