// The text form: one line per record, whatever its content.
import type { LogRecord } from '../../shared/domain/status/log-record.js';
import { escapeText } from './escape.js';
import { isoTime } from './time.js';

/**
 * `supervisor ups=office: ON_BATTERY: charge 98 %`. The UPS comes first, or else the group. Category and event type are only
 * in the JSON form (the message of an event begins with its type). The message comes last, so that no part of it can look
 * like a field; a value that is not a plain word is quoted.
 */
export function textBody({ logger, ups, group, server, message }: LogRecord): string {
  const about = ups === undefined ? field('group', group) : field('ups', ups);
  return `${word(logger)}${about}${field('server', server)}: ${escapeText(message)}`;
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
  const safe = escapeText(value);
  return /^[^\s"=]+$/.test(safe) && !safe.endsWith(':') ? safe : `"${safe.replace(/"/g, '\\"')}"`;
}
