// What can go wrong between us and a NUT server, as data: the protocol's own codes and our name for each failure of a poll.
// Nothing here is thrown.
import type { PollFailure } from '../../shared/domain/states.js';

/** The codes of RFC 9271 and of NUT's protocol document, with what each means to a poll. */
const codes = {
  'ACCESS-DENIED': 'ACCESS_DENIED',
  'ALREADY-ATTACHED': 'PROTOCOL_ERROR',
  'ALREADY-LOGGED-IN': 'PROTOCOL_ERROR',
  'ALREADY-SET-PASSWORD': 'PROTOCOL_ERROR',
  'ALREADY-SET-USERNAME': 'PROTOCOL_ERROR',
  'ALREADY-SSL-MODE': 'TLS_FAILED',
  'CMD-NOT-SUPPORTED': 'PROTOCOL_ERROR',
  'DATA-STALE': 'DATA_STALE',
  'DRIVER-NOT-CONNECTED': 'DRIVER_NOT_CONNECTED',
  'FEATURE-NOT-CONFIGURED': 'PROTOCOL_ERROR',
  'FEATURE-NOT-SUPPORTED': 'PROTOCOL_ERROR',
  'INSTCMD-FAILED': 'PROTOCOL_ERROR',
  'INVALID-ARGUMENT': 'PROTOCOL_ERROR',
  'INVALID-PASSWORD': 'ACCESS_DENIED',
  'INVALID-USERNAME': 'ACCESS_DENIED',
  'INVALID-VALUE': 'PROTOCOL_ERROR',
  'PASSWORD-REQUIRED': 'ACCESS_DENIED',
  READONLY: 'PROTOCOL_ERROR',
  'SET-FAILED': 'PROTOCOL_ERROR',
  'TLS-ALREADY-ENABLED': 'TLS_FAILED',
  'TLS-NOT-ENABLED': 'TLS_FAILED',
  'TOO-LONG': 'PROTOCOL_ERROR',
  'UNKNOWN-COMMAND': 'PROTOCOL_ERROR',
  'UNKNOWN-UPS': 'UNKNOWN_UPS',
  'USERNAME-REQUIRED': 'ACCESS_DENIED',
  'VAR-NOT-SUPPORTED': 'PROTOCOL_ERROR',
  /** GET TRACKING: an identifier the server does not know (any more). */
  UNKNOWN: 'PROTOCOL_ERROR',
  /** GET TRACKING: the driver tried and could not. */
  FAILED: 'PROTOCOL_ERROR',
} as const satisfies Record<string, PollFailure>;

export type NutErrorCode = keyof typeof codes;

export interface NutFailure {
  readonly detail: PollFailure;
  /** The server's code, null when the failure is not an ERR of the server or its code is not known to us. */
  readonly code: NutErrorCode | null;
  /** For a person; the server's own words where it said any. */
  readonly message: string;
}

export type NutAnswer<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: NutFailure };

export function answered<T>(value: T): NutAnswer<T> {
  return { ok: true, value };
}

/** Longest message kept: what a link carries as a poll's message. */
const longestMessage = 1024;

/** A failure that no ERR of a server is behind. */
export function failed(detail: PollFailure, message: string): { ok: false; failure: NutFailure } {
  return { ok: false, failure: { detail, code: null, message: message.slice(0, longestMessage) } };
}

/** An ERR answer: `token` decides alone, since servers add words after it; `text` is the whole line. */
export function refused(token: string, text: string): { ok: false; failure: NutFailure } {
  const code = Object.hasOwn(codes, token) ? (token as NutErrorCode) : null;
  const detail = code === null ? 'PROTOCOL_ERROR' : codes[code];
  return { ok: false, failure: { detail, code, message: text.slice(0, longestMessage) } };
}

/** The server does not know or does not offer what was asked, whatever the arguments. */
export function isNotOffered(failure: NutFailure): boolean {
  return (
    failure.code === 'UNKNOWN-COMMAND' ||
    failure.code === 'INVALID-ARGUMENT' ||
    failure.code === 'FEATURE-NOT-SUPPORTED' ||
    failure.code === 'FEATURE-NOT-CONFIGURED'
  );
}

/** What Node says of a socket that could not be opened or broke. */
export function socketFailure(
  error: NodeJS.ErrnoException,
  during: string,
): { ok: false; failure: NutFailure } {
  const code = error.code ?? '';
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_'))
    return failed('TLS_FAILED', `${during}: TLS failed: ${error.message}`);
  if (code === 'ETIMEDOUT') return failed('TIMEOUT', `${during}: no answer (${code})`);
  return failed('SERVER_DOWN', `${during}: ${code === '' ? error.message : code}`);
}
