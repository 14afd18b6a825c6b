// The error body of every status >= 400 and the closed table of its codes, for the server, the page and the command
// line (specification/api.md#error-codes).
import * as t from 'io-ts';

/** Code to HTTP status. */
export const errorStatus = {
  INVALID_REQUEST: 400,
  RELOAD_REJECTED: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  EXPECTATION_FAILED: 417,
  MISDIRECTED_REQUEST: 421,
  UNSUPPORTED: 422,
  TOO_MANY_ATTEMPTS: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  NUT_ERROR: 502,
  STATS_UNAVAILABLE: 503,
  AUTH_UNAVAILABLE: 503,
  SUPERVISOR_UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** `code` is any text: a reader must not fail on a code of a later version. */
export const ErrorBody = t.type(
  {
    error: t.intersection([t.type({ code: t.string, message: t.string }), t.partial({ details: t.unknown })]),
  },
  'ErrorBody',
);
export type ErrorBody = t.TypeOf<typeof ErrorBody>;

/** The body of one error; `details` only where a route defines it (specification/api.md#error-body). */
export function errorBody(code: ErrorCode, message: string, details?: unknown): ErrorBody {
  return { error: { code, message, ...(details === undefined ? {} : { details }) } };
}
