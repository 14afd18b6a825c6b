// A log record for tests, with what a test does not care about filled in.
import type { LogRecord } from '../../../shared/domain/log-record.js';

/** 2026-11-21T15:00:00.123Z. */
export const moment = 1_795_273_200.123;

export function record(change: Partial<LogRecord> = {}): LogRecord {
  return { timestamp: moment, level: 'info', logger: 'policy', message: 'on line power', ...change };
}
