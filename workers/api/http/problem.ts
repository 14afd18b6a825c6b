// An error answer on its way out: thrown by a route or a check, turned into the error body by the gate. Expected failures only.
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

export class Problem extends Error {
  readonly code: ErrorCode;
  readonly details: unknown;
  /** Headers that go with it: `Allow`, `Retry-After`, `WWW-Authenticate`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Of an action: the part that could not do it has written its audit row, or will. */
  readonly recorded: boolean;
  /** Why, for the audit row, where `message` says more than that. */
  readonly reason: string;
  /** Who is not let in although his session is known. */
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

/** The daemon's core cannot be asked, or has said nothing yet. */
export function supervisorUnavailable(message: string, extra: ProblemExtra = {}): Problem {
  return new Problem('SUPERVISOR_UNAVAILABLE', message, extra);
}
