// Applies the limit on actions (specification/api.md#action-limits) and records each action that is not done
// (specification/events.md#audit-rows). The supervisor and storage record the others.
import type { Clock } from '../../../shared/runtime/clock.js';
import { ActionLimit, limitInWords } from './action-limit.js';
import type { Audit, AuditEntry } from './audit.js';
import { ApiProblem } from '../http/problem.js';
import type { Action, RequestHead, Request, Route } from '../http/route.js';

export interface ActionDependencies {
  readonly audit: Audit;
  readonly clock: Clock;
  readonly groupOf: (name: string) => string | undefined;
}

type About = Pick<AuditEntry, 'target' | 'peer' | 'source'>;

export class Actions {
  readonly #deps: ActionDependencies;
  readonly #limit: ActionLimit;

  constructor(deps: ActionDependencies) {
    this.#deps = deps;
    this.#limit = new ActionLimit(deps.clock);
  }

  /** Records a request without the credential it needs: one row each for a known principal, counts for anonymous ones. */
  refused(route: Route, request: Request, problem: ApiProblem): void {
    const { audit } = this.#deps;
    const { principal, body } = request;
    const { action } = route;
    const why = problem.status === 503 ? ', the authentication database cannot be read' : '';
    const result = problem.status === 403 && principal !== 'anonymous' ? problem.reason : `denied${why}`;
    if (action !== undefined && principal !== 'anonymous') {
      audit.record({ ...this.#named(action, request), type: action.denied, principal, result });
      return;
    }
    const name = body[action?.inBody ?? ''];
    const named = typeof name === 'string' && name !== '' ? ` (${action?.target({}, body) ?? ''})` : '';
    const entry = this.#entryOf(route, request);
    const target = `${entry.target}${named}`;
    audit.refused({ ...entry, target, type: action?.denied ?? 'LOGIN_FAILURE', principal, result });
  }

  /** Counts an action; throws 429 above the limit, and records it. */
  precheck(route: Route, head: RequestHead): void {
    if (route.action === undefined) return;
    const seconds = this.#limit.take(head.principal);
    if (seconds === null) return;
    this.#deps.audit.limited({
      ...this.#entryOf(route, head),
      type: route.action.denied,
      principal: head.principal,
      result: 'denied, too many actions',
    });
    throw new ApiProblem(
      'TOO_MANY_ATTEMPTS',
      `More than ${limitInWords} with this credential. Nothing was done; try again in ${String(seconds)} s.`,
      { headers: { 'Retry-After': String(seconds) }, recorded: true },
    );
  }

  /** Records an action that was not done, unless the failing part has recorded it. */
  undone({ action }: Route, request: Request, error: unknown): void {
    if (action === undefined || (error instanceof ApiProblem && error.recorded)) return;
    const denied = error instanceof ApiProblem && error.status === 403;
    this.#deps.audit.record({
      ...this.#named(action, request),
      type: denied ? action.denied : action.failed,
      principal: request.principal,
      result: denied ? 'denied' : `failed: ${reasonOf(error)}`,
    });
  }

  /** Describes a request by its command or variable. */
  #named(action: Action, { params, from, body }: Request): About {
    const name = params['name'];
    const source = name === undefined ? undefined : this.#deps.groupOf(name);
    const target = action.target(params, body);
    const at = name === undefined || source !== undefined || target.includes(name) ? '' : ` at ${name}`;
    return { target: `${target}${at}`, peer: from, source };
  }

  /** Describes a request by its path. A request about a UPS has the source of that UPS. */
  #entryOf({ method, action }: Route, { path, params, from }: RequestHead): About {
    const source = action && this.#deps.groupOf(params['name'] ?? '');
    return { target: `${method} ${path}`, peer: from, source };
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof ApiProblem)) return 'an internal error; see the log';
  return error.status === 404 ? 'no such UPS' : error.reason;
}
