// The contract of the log process: the only one that writes to standard error, the log file and syslog.
import * as t from 'io-ts';
import { LogLevel, LogRecord } from '../domain/status/log-record.js';
import { count, oneOf, orNull, textUpTo } from '../domain/base/units.js';
import type { Contract } from './contract.js';

export const LogSettings = t.type(
  {
    format: oneOf('text', 'json'),
    level: LogLevel,
    /** Path of the log file, or null for standard error only. */
    file: orNull(textUpTo(4096)),
    /** Null while off. */
    syslog: orNull(t.type({ address: textUpTo(4096), facility: textUpTo(32) })),
    /** Literal secrets that must not appear in any line. */
    secrets: t.array(t.string),
  },
  'LogSettings',
);
export type LogSettings = t.TypeOf<typeof LogSettings>;

export const LogTail = t.type({ lines: t.array(t.string) }, 'LogTail');
export type LogTail = t.TypeOf<typeof LogTail>;

export const logContract = {
  name: 'log',
  settings: LogSettings,
  events: {},
  requests: {
    /** Writes records in order; `dropped` counts those that the supervisor's queue dropped before them. Answers once queued. */
    'records.write': {
      params: t.type({ records: t.array(LogRecord), dropped: count }),
      result: t.type({ dropped: count }),
    },
    /** The last lines that were written, oldest first: at most 2,000, and about 1 MB. */
    'tail.get': { params: t.type({}), result: LogTail },
    /** SIGHUP: close and open the log file again (logrotate). */
    'file.reopen': { params: t.type({}), result: t.type({}) },
  },
  asks: {},
} as const satisfies Contract;
