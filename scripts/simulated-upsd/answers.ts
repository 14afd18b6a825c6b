// Answers as they go over the wire: errors by their token, rows cut where upsd cuts them.
import { cutAt } from '../../workers/poller/wire/wire.js';

/** The error tokens upsd 2.8 knows (`server/neterr.h`). */
export type ErrorToken =
  | 'ACCESS-DENIED'
  | 'UNKNOWN-UPS'
  | 'VAR-NOT-SUPPORTED'
  | 'CMD-NOT-SUPPORTED'
  | 'INVALID-ARGUMENT'
  | 'INSTCMD-FAILED'
  | 'SET-FAILED'
  | 'READONLY'
  | 'TOO-LONG'
  | 'FEATURE-NOT-SUPPORTED'
  | 'FEATURE-NOT-CONFIGURED'
  | 'ALREADY-SSL-MODE'
  | 'DRIVER-NOT-CONNECTED'
  | 'DATA-STALE'
  | 'ALREADY-LOGGED-IN'
  | 'INVALID-PASSWORD'
  | 'ALREADY-SET-PASSWORD'
  | 'INVALID-USERNAME'
  | 'ALREADY-SET-USERNAME'
  | 'USERNAME-REQUIRED'
  | 'PASSWORD-REQUIRED'
  | 'UNKNOWN-COMMAND'
  | 'INVALID-VALUE';

/** upsd formats every line into a buffer of this size and drops the rest, line end included. */
export function row(text: string): string {
  return text.length < cutAt ? `${text}\n` : text.slice(0, cutAt);
}

export function errorAnswer(token: ErrorToken): string {
  return row(`ERR ${token}`);
}

/** BEGIN and END repeat the query, in the caller's spelling. */
export function listAnswer(query: string, rows: readonly string[]): string {
  return row(`BEGIN LIST ${query}`) + rows.join('') + row(`END LIST ${query}`);
}
