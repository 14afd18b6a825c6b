// How code says something to the log: records, not text; where they go is somebody else's business.
import type { LogFields, LogLevel, LogRecord } from '../domain/log-record.js';
import type { Clock } from './clock.js';

export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warning(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** Longest message kept; the rest is cut and marked. */
const maxMessageLength = 4000;

/** A logger that hands each finished record to `write`, which must not throw and must not wait. */
export function loggerTo(name: string, clock: Clock, write: (record: LogRecord) => void): Logger {
  const logAt = (level: LogLevel) => (message: string, fields?: LogFields) => {
    write({ timestamp: clock.wallSeconds(), level, logger: name, message: cut(message), ...fields });
  };
  return { debug: logAt('debug'), info: logAt('info'), warning: logAt('warning'), error: logAt('error') };
}

function cut(message: string): string {
  return message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)} [cut]` : message;
}
