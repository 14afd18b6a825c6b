// GET /api/v1/support, also on the control socket: the archive for a bug report, one at a time (specification/support.md).
import { ApiProblem } from '../http/problem.js';
import type { Principal, Reply, Route } from '../http/route.js';
import { supportArchive } from '../support/archive.js';
import { configBody } from './config.js';
import { storedEvents } from './history.js';
import { readyBody } from './liveness.js';
import { groupExplanation, groupPlan } from './redundancy.js';
import type { RouteContext } from './route-context.js';
import { publishedModel } from './route-context.js';
import { explanation, shutdownPlan } from './ups.js';

const events = 1_000;

export function supportRoutes(context: RouteContext): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/support',
      description: 'An archive for a bug report, without secrets (tar.gz); one at a time.',
      auth: 'write',
      text: 'application/gzip',
      fails: ['CONFLICT', 'SUPERVISOR_UNAVAILABLE'],
      answer: ({ principal, signal }) => support(context, principal, signal),
    },
  ];
}

/** Of each API worker: the archive that is made now. */
const underWay = new WeakSet<RouteContext>();

export async function support(
  context: RouteContext,
  principal: Principal,
  signal: AbortSignal,
): Promise<Reply> {
  const { redundancyGroups, sequence, remoteHealth } = publishedModel(context);
  if (underWay.has(context))
    throw new ApiProblem('CONFLICT', 'A support archive is being made. Try again when it is complete.');
  underWay.add(context);
  try {
    const unixSeconds = context.clock.wallSeconds();
    const body = await supportArchive({
      version: context.version,
      unixSeconds,
      monotonicMs: () => context.clock.monotonicMs(),
      reads: {
        'ready.json': () => readyBody(context),
        'config.json': () => configBody(context, true),
        'sequence.json': () => sequence,
        'remote-health.json': () => remoteHealth,
        'events.json': () => storedEvents(context, events, signal),
        'groups.json': () =>
          Promise.all(
            redundancyGroups.map(async (row) => ({
              ...row,
              explain: await groupExplanation(context, row),
              plan: await groupPlan(context, row, 'anonymous'),
            })),
          ),
      },
      upses: context.model.ups,
      // The supervisor hides values that are or may be secrets before they come here.
      detailsOf: async (ups) => ({
        ...(await context.supervisor.readings(ups.row.groupId)),
        explain: await explanation(context, ups),
        plan: await shutdownPlan(context, ups, 'anonymous'),
      }),
      logTail: () => context.sendCommand('log.tail', { principal }),
    });
    const at = new Date(unixSeconds * 1000).toISOString().replace(/\D/g, '').slice(0, 14);
    const name = `ridethrough-support-${at}.tar.gz`;
    return {
      status: 200,
      type: 'application/gzip',
      body,
      headers: { 'Content-Disposition': `attachment; filename="${name}"` },
    };
  } finally {
    underWay.delete(context);
  }
}
