// The logger interface: code logs records; the log worker formats and writes them.
import type { LogFields, LogLevel, LogRecord } from '../domain/status/log-record.js';
import type { Clock } from './clock.js';

export interface Logger {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warning(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

/** A longer message is cut and marked. */
const maxMessageLength = 4000;

/** A logger that passes each record to `write`, which must neither throw nor wait. */
export function loggerTo(name: string, clock: Clock, write: (record: LogRecord) => void): Logger {
  const logAt = (level: LogLevel) => (message: string, fields?: LogFields) => {
    write({ timestamp: clock.wallSeconds(), level, logger: name, message: cutMessage(message), ...fields });
  };
  return { debug: logAt('debug'), info: logAt('info'), warning: logAt('warning'), error: logAt('error') };
}

function cutMessage(message: string): string {
  return message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)} [cut]` : message;
}
