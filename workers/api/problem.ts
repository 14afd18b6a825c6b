// An error answer on its way out: thrown by a route or a check, turned into the error body by the gate. Expected failures only.
import type { ErrorCode } from '../../shared/http/errors.js';
import { errorStatus } from '../../shared/http/errors.js';

export class Problem extends Error {
  readonly code: ErrorCode;
  readonly details: unknown;
  /** Headers that go with it: `Allow`, `Retry-After`, `WWW-Authenticate`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ErrorCode,
    message: string,
    extra: { details?: unknown; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.code = code;
    this.details = extra.details;
    this.headers = extra.headers ?? {};
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/** The daemon's core cannot be asked, or has said nothing yet. */
export function supervisorUnavailable(message: string): Problem {
  return new Problem('SUPERVISOR_UNAVAILABLE', message);
}
