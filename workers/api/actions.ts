// What somebody with a credential wants to be done: its limit, and its record when it is not done (interface.md 5.13). What
// is done, the supervisor and storage record.
import type { Clock } from '../../shared/runtime/clock.js';
import { ActionLimit, limitInWords } from './action-limit.js';
import type { Audit, Deed } from './audit.js';
import { Problem } from './problem.js';
import type { RequestHead, Request, Route } from './routes/route.js';

/** A request without the credential that its route wants. */
export type Refused = Pick<RequestHead, 'params' | 'path' | 'peer'>;

export interface ActionParts {
  readonly audit: Audit;
  readonly clock: Clock;
  /** The groupId of the UPS that `{name}` means. */
  readonly groupOf: (name: string) => string | undefined;
}

export class Actions {
  readonly #parts: ActionParts;
  readonly #limit: ActionLimit;

  constructor(parts: ActionParts) {
    this.#parts = parts;
    this.#limit = new ActionLimit(parts.clock);
  }

  /** Nobody was let in. The body is not looked at: it costs its sender nothing. */
  refused(route: Route, request: Refused, problem: Problem): void {
    const why = problem.status === 503 ? ', the authentication database cannot be read' : '';
    this.#parts.audit.refused({
      ...this.#about(route, request),
      type: route.action?.denied ?? 'LOGIN_FAILURE',
      principal: problem.principal ?? 'anonymous',
      result: `denied${why}`,
    });
  }

  /** Counts an action; throws 429, recorded, for one too many. */
  admit(route: Route, head: RequestHead): void {
    if (route.action === undefined) return;
    const seconds = this.#limit.take(head.principal);
    if (seconds === null) return;
    this.#parts.audit.limited({
      ...this.#about(route, head),
      type: route.action.denied,
      principal: head.principal,
      result: 'denied, too many actions',
    });
    throw new Problem(
      'TOO_MANY_ATTEMPTS',
      `More than ${limitInWords} with this credential. Nothing was done; try again in ${String(seconds)} s.`,
      { headers: { 'Retry-After': String(seconds) }, recorded: true },
    );
  }

  /** Records what was not done, unless who failed at it has recorded it. */
  undone({ action }: Route, { params, principal, peer, body }: Request, error: unknown): void {
    if (action === undefined || (error instanceof Problem && error.recorded)) return;
    const name = params['name'];
    const source = name === undefined ? undefined : this.#parts.groupOf(name);
    const target = action.target(params, body);
    const at = name === undefined || source !== undefined || target.includes(name) ? '' : ` at ${name}`;
    const denied = error instanceof Problem && error.status === 403;
    this.#parts.audit.record({
      type: denied ? action.denied : action.failed,
      principal,
      peer,
      source,
      target: `${target}${at}`,
      result: denied ? 'denied' : `failed: ${reasonOf(error)}`,
    });
  }

  /** A request by its path: its body has not been read. What concerns a UPS stands in that UPS's history. */
  #about(
    { method, action }: Route,
    { path, params, peer }: Refused,
  ): Pick<Deed, 'target' | 'peer' | 'source'> {
    const source = action && this.#parts.groupOf(params['name'] ?? '');
    return { target: `${method} ${path}`, peer, source };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Problem)) return 'a fault of the program; its log says which';
  return error.status === 404 ? 'no such UPS' : error.reason;
}
