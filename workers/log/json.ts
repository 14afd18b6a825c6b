// The JSON form: one object per line (specification/logs.md#json-form).
import type { LogRecord } from '../../shared/domain/status/log-record.js';
import { escapedJson } from './escape.js';
import { isoTime } from './time.js';

/**
 * Keys in this order: timestamp (RFC 3339, UTC, milliseconds), level, logger, message, then category, event_type, group, ups
 * and server where supplied. No other key, and none of bunyan.
 */
export function jsonLine(record: LogRecord): string {
  const { timestamp, level, logger, message, category, event_type, group, ups, server } = record;
  return escapedJson(
    JSON.stringify({
      timestamp: isoTime(timestamp),
      level,
      logger,
      message,
      category,
      event_type,
      group,
      ups,
      server,
    }),
  );
}
