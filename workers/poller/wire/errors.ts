// Failures of NUT requests as data: the error codes of the protocol, each with its failure of a poll. Nothing here is thrown.
import type { PollFailure } from '../../../shared/domain/status/states.js';

/** The codes of RFC 9271 and of NUT's protocol document, each with the failure of a poll. */
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
  /** GET TRACKING: an identifier that the server does not know (any more). */
  UNKNOWN: 'PROTOCOL_ERROR',
  /** GET TRACKING: the driver could not do it. */
  FAILED: 'PROTOCOL_ERROR',
} as const satisfies Record<string, PollFailure>;

export type NutErrorCode = keyof typeof codes;

export interface NutFailure {
  readonly detail: PollFailure;
  /** The server's code; null when the failure is no ERR of the server or its code is unknown. */
  readonly code: NutErrorCode | null;
  /** As text; the server's message where it sent one. */
  readonly message: string;
}

export type NutAnswer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: NutFailure };

export function answerOf<T>(value: T): NutAnswer<T> {
  return { ok: true, value };
}

/** Longest message kept: the bound of the link for the message of a poll. */
const maxMessageLength = 1024;

/** A failure other than an ERR of a server. */
export function failureOf(detail: PollFailure, message: string): { ok: false; failure: NutFailure } {
  return { ok: false, failure: { detail, code: null, message: message.slice(0, maxMessageLength) } };
}

/** An ERR answer: `token` decides alone, since servers add words after it; `text` is the complete line. */
export function refusalOf(token: string, text: string): { ok: false; failure: NutFailure } {
  const code = Object.hasOwn(codes, token) ? (token as NutErrorCode) : null;
  const detail = code === null ? 'PROTOCOL_ERROR' : codes[code];
  return { ok: false, failure: { detail, code, message: text.slice(0, maxMessageLength) } };
}

/** True when the server does not know or does not offer the request, whatever its arguments. */
export function isNotOffered(failure: NutFailure): boolean {
  return (
    failure.code === 'UNKNOWN-COMMAND' ||
    failure.code === 'INVALID-ARGUMENT' ||
    failure.code === 'FEATURE-NOT-SUPPORTED' ||
    failure.code === 'FEATURE-NOT-CONFIGURED'
  );
}

/** The end of a change that was sent: a failure that is no ERR of the server does not say whether it was done. */
export function inDoubt<T>(answer: NutAnswer<T>): NutAnswer<T> {
  if (answer.ok || answer.failure.code !== null) return answer;
  return failureOf(answer.failure.detail, `it is not known whether it was done: ${answer.failure.message}`);
}

/** The failure of a socket that could not be opened or broke. */
export function socketFailure(
  error: NodeJS.ErrnoException,
  during: string,
): { ok: false; failure: NutFailure } {
  const code = error.code ?? '';
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_'))
    return failureOf('TLS_FAILED', `${during}: TLS failed: ${error.message}`);
  if (code === 'ETIMEDOUT') return failureOf('TIMEOUT', `${during}: no answer (${code})`);
  return failureOf('SERVER_DOWN', `${during}: ${code === '' ? error.message : code}`);
}

/** The failure of a request that would break the protocol, or of a change that a server would make to another value. */
export function cannotEncode(): { ok: false; failure: NutFailure } {
  return {
    ok: false,
    failure: {
      detail: 'PROTOCOL_ERROR',
      code: 'INVALID-VALUE',
      message:
        'not sent: a name or value holds a character that is not printable ASCII, or is longer than 512 bytes',
    },
  };
}
