// The UPS routes: status of all, of one, and details of one that the supervisor returns on request.
import { ExplainBody, PlanBody, ReadingsBody, StatusBody } from '../../../shared/http/bodies.js';
import type { Plan } from '../../../shared/domain/outage/plan.js';
import { UpsRow } from '../../../shared/domain/status/status-model.js';
import type { PublishedUps } from '../../../shared/protocol/api.js';
import type { RouteContext } from './route-context.js';
import { namedUps, publishedModel, upsRoute } from './route-context.js';
import type { Principal, Reply, Route } from '../http/route.js';
import { json, jsonType } from '../http/route.js';

export function upsRoutes(context: RouteContext): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/ups',
      description: 'State of every UPS and redundancy group.',
      auth: 'read',
      gives: StatusBody,
      fails: ['SUPERVISOR_UNAVAILABLE'],
      answer: () => status(context),
    },
    {
      method: 'GET',
      path: '/api/v1/ups/{name}',
      description: 'State of one UPS.',
      auth: 'read',
      gives: UpsRow,
      fails: ['SUPERVISOR_UNAVAILABLE'],
      answer: ({ params }) => {
        const { row } = namedUps(context, params['name'] ?? '');
        return json(context.model.rowJson(row.groupId) ?? row);
      },
    },
    upsRoute(context, 'readings', 'Every NUT variable of the last good poll, as text.', ReadingsBody, (ups) =>
      readings(context, ups),
    ),
    upsRoute(
      context,
      'explain',
      'How far each shutdown trigger is from firing, and the reading it uses.',
      ExplainBody,
      (ups) => explanation(context, ups),
    ),
    upsRoute(context, 'shutdown-plan', 'The shutdown plan, step by step.', PlanBody, (ups, principal) =>
      shutdownPlan(context, ups, principal),
    ),
  ];
}

export function status(context: RouteContext): Reply {
  publishedModel(context);
  return { status: 200, type: jsonType, ...context.model.statusParts(context.clock.wallSeconds()) };
}

export async function readings(context: RouteContext, { row }: PublishedUps): Promise<ReadingsBody> {
  return { ups: row.name, ...(await context.supervisor.readings(row.groupId)) };
}

export async function explanation(context: RouteContext, { row }: PublishedUps): Promise<ExplainBody> {
  return { ups: row.name, ...(await context.supervisor.explain(row.groupId)) };
}

export async function shutdownPlan(
  context: RouteContext,
  { row }: PublishedUps,
  principal: Principal,
): Promise<PlanBody> {
  return { ups: row.name, plan: await shownPlan(context, row.groupId, principal) };
}

/** The plan of a UPS or redundancy group, with commands only for authenticated callers. */
export async function shownPlan(
  context: RouteContext,
  groupId: string,
  principal: Principal,
): Promise<PlanBody['plan']> {
  const { plan } = await context.supervisor.plan(groupId);
  return principal === 'anonymous' ? withoutCommands(plan) : plan;
}

/** Only the kind of each action, so that no field of a later kind can leak. */
function withoutCommands(plan: Plan): PlanBody['plan'] {
  return {
    ...plan,
    phases: plan.phases.map((phase) => ({
      ...phase,
      steps: phase.steps.map((step) => ({ ...step, action: { kind: step.action.kind } })),
    })),
  };
}
