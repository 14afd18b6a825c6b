// An error answer: a route or a check throws it; the request handler turns it into the error body. Expected failures only.
import type { ErrorCode } from '../../../shared/http/errors.js';
import { errorStatus } from '../../../shared/http/errors.js';
import type { Principal } from './peer.js';

interface ProblemExtra {
  readonly details?: unknown;
  readonly headers?: Record<string, string>;
  readonly recorded?: boolean;
  readonly reason?: string;
  readonly principal?: Principal;
}

export class ApiProblem extends Error {
  readonly code: ErrorCode;
  readonly details: unknown;
  /** Headers of the answer: `Allow`, `Retry-After`, `WWW-Authenticate`. */
  readonly headers: Readonly<Record<string, string>>;
  /** For an action: the failing part writes the audit row. */
  readonly recorded: boolean;
  /** The reason for the audit row, where `message` has more text. */
  readonly reason: string;
  /** The principal of a known session that is refused. */
  readonly principal: Principal | undefined;

  constructor(code: ErrorCode, message: string, extra: ProblemExtra = {}) {
    super(message);
    this.code = code;
    this.details = extra.details;
    this.headers = extra.headers ?? {};
    this.recorded = extra.recorded ?? false;
    this.reason = extra.reason ?? message;
    this.principal = extra.principal;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/** The supervisor does not answer, or has published nothing yet. */
export function supervisorUnavailable(message: string, extra: ProblemExtra = {}): ApiProblem {
  return new ApiProblem('SUPERVISOR_UNAVAILABLE', message, extra);
}
