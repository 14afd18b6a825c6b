// POST /api/v1/config/reload, also on the control socket: the daemon reads its file again (specification/api-writes.md#reload).
import { ReloadReport } from '../../../shared/protocol/api.js';
import { linkFailure } from '../../../shared/protocol/contract.js';
import { ApiProblem, supervisorUnavailable } from '../http/problem.js';
import type { RouteContext } from './route-context.js';
import type { Reply, Request, Route } from '../http/route.js';
import { callerOf, json } from '../http/route.js';

export function reloadRoutes(context: RouteContext): readonly Route[] {
  return [
    {
      method: 'POST',
      path: '/api/v1/config/reload',
      description: 'Reads the configuration file and applies it completely, or returns its problems.',
      auth: 'write',
      action: { denied: 'CONFIG_RELOAD', failed: 'CONFIG_RELOAD', target: () => 'reload' },
      takesBody: true,
      gives: ReloadReport,
      fails: ['RELOAD_REJECTED', 'SUPERVISOR_UNAVAILABLE'],
      answer: (request) => reload(context, request),
    },
  ];
}

/** The supervisor did not get the request, or a bug ended it before it was recorded. */
const notDelivered: readonly string[] = [linkFailure.refused, linkFailure.broken];

/** Throws RELOAD_REJECTED with every problem of the file. */
export async function reload(context: RouteContext, request: Request): Promise<Reply> {
  const outcome = await context.sendCommand('configuration.reload', { principal: callerOf(request) });
  if (!outcome.ok) {
    const { code, message } = outcome.error;
    throw supervisorUnavailable(
      `The configuration could not be reloaded (${message}). The current configuration stays in force. See the log.`,
      { recorded: !notDelivered.includes(code), reason: message },
    );
  }
  const report = outcome.value;
  if (report.reloaded) return json(report);
  const { errors, isUnread } = report;
  throw new ApiProblem(
    'RELOAD_REJECTED',
    `The configuration file ${isUnread === true ? 'could not be read' : 'is not valid'}. The current configuration stays in force.`,
    { details: { errors, ...(isUnread === true && { isUnread }) }, recorded: true },
  );
}
