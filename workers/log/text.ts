// The text form: one line per record, whatever the record holds.
import type { LogRecord } from '../../shared/domain/log-record.js';
import { escaped } from './escape.js';
import { isoTime } from './time.js';

/**
 * `supervisor ups=office: ON_BATTERY: charge 98 %`. What it is about comes first: the UPS, or else the group; category
 * and event type are for machines and stand in the JSON form (an event's message begins with its type). The message
 * comes last, so that nothing in it can pass for a field, and a value that is no plain word is quoted.
 */
export function textBody({ logger, ups, group, server, message }: LogRecord): string {
  const about = ups === undefined ? field('group', group) : field('ups', ups);
  return `${word(logger)}${about}${field('server', server)}: ${escaped(message)}`;
}

function field(name: string, value: string | undefined): string {
  return value === undefined ? '' : ` ${name}=${word(value)}`;
}

/** A line for a terminal, a pipe or a file: `2026-11-21T15:00:00.123Z warning supervisor: message`. */
export function textLine(record: LogRecord): string {
  return `${isoTime(record.timestamp)} ${record.level} ${textBody(record)}`;
}

/** A line for the journal, which adds the time itself and reads the priority from the prefix: `<4>supervisor: message`. */
export function journalLine(record: LogRecord): string {
  return `<${String(severity[record.level])}>${textBody(record)}`;
}

/** Syslog severities (RFC 3164 section 4.1.1), which are also the journal's priorities. */
export const severity = { error: 3, warning: 4, info: 6, debug: 7 } as const;

function word(value: string): string {
  const safe = escaped(value);
  return /^[^\s"=]+$/.test(safe) && !safe.endsWith(':') ? safe : `"${safe.replace(/"/g, '\\"')}"`;
}
