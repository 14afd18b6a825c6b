// A log record for tests, with defaults.
import type { LogRecord } from '../../../shared/domain/status/log-record.js';

export const moment = 1_795_273_200.123;

export function record(change: Partial<LogRecord> = {}): LogRecord {
  return { timestamp: moment, level: 'info', logger: 'policy', message: 'on line power', ...change };
}
