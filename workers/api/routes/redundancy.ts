// The routes of redundancy groups; their rows are part of GET /api/v1/ups.
import { GroupExplainBody, GroupPlanBody } from '../../../shared/http/bodies.js';
import type { RedundancyRow } from '../../../shared/domain/status/status-model.js';
import { ApiProblem } from '../http/problem.js';
import type { RouteContext } from './route-context.js';
import { findGroup } from './route-context.js';
import type { Principal, Route } from '../http/route.js';
import { json } from '../http/route.js';
import { shownPlan } from './ups.js';

export function redundancyRoutes(context: RouteContext): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/redundancy/{group}/explain',
      description: 'Whether the quorum of a redundancy group holds, and how far it is from being lost.',
      auth: 'read',
      gives: GroupExplainBody,
      fails: ['SUPERVISOR_UNAVAILABLE'],
      answer: async ({ params }) =>
        json(await groupExplanation(context, namedGroup(context, params['group'] ?? ''))),
    },
    {
      method: 'GET',
      path: '/api/v1/redundancy/{group}/shutdown-plan',
      description: 'The shutdown plan of a redundancy group, step by step.',
      auth: 'read',
      gives: GroupPlanBody,
      fails: ['SUPERVISOR_UNAVAILABLE'],
      answer: async ({ params, principal }) =>
        json(await groupPlan(context, namedGroup(context, params['group'] ?? ''), principal)),
    },
  ];
}

export async function groupExplanation(
  context: RouteContext,
  { name, groupId }: RedundancyRow,
): Promise<GroupExplainBody> {
  return { group: name, ...(await context.supervisor.explain(groupId)) };
}

export async function groupPlan(
  context: RouteContext,
  { name, groupId }: RedundancyRow,
  principal: Principal,
): Promise<GroupPlanBody> {
  return { group: name, plan: await shownPlan(context, groupId, principal) };
}

function namedGroup(context: RouteContext, name: string): RedundancyRow {
  const group = findGroup(context, name);
  if (group !== undefined) return group;
  throw new ApiProblem(
    'NOT_FOUND',
    'No redundancy group of this name is configured. GET /api/v1/ups lists them all.',
  );
}
