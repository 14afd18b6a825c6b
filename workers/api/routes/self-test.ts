// Battery tests of a UPS: the last one, the history, and the start of one (specification/policy.md#self-tests).
import { SelfTestBody, SelfTestIssuedBody, SelfTestsBody } from '../../../shared/http/device-bodies.js';
import { controlFailure } from '../../../shared/protocol/poller.js';
import { ApiProblem } from '../http/problem.js';
import type { Reply, Request, Route } from '../http/route.js';
import { callerOf, json } from '../http/route.js';
import { done, requireControlEnabled } from './commands.js';
import { got } from './history.js';
import type { RouteContext } from './route-context.js';
import { namedUps, upsRoute } from './route-context.js';

export function selfTestRoutes(context: RouteContext): readonly Route[] {
  return [
    upsRoute(
      context,
      'self-test',
      'The last self test and its result; null while unknown.',
      SelfTestBody,
      ({ row, telemetry }) => ({ ups: row.name, selfTest: telemetry.selfTest }) satisfies SelfTestBody,
    ),
    {
      method: 'GET',
      path: '/api/v1/ups/{name}/self-tests',
      description: 'The self tests of the UPS, the newest first.',
      auth: 'read',
      gives: SelfTestsBody,
      fails: ['SUPERVISOR_UNAVAILABLE', 'STATS_UNAVAILABLE'],
      answer: async ({ params, signal }) => {
        const { row, telemetry } = namedUps(context, params['name'] ?? '');
        const tests = got(await context.history.selfTests(row.groupId, signal));
        return json({ ups: row.name, nextTs: telemetry.nextTest, tests } satisfies SelfTestsBody);
      },
    },
    {
      method: 'POST',
      path: '/api/v1/ups/{name}/self-test',
      description: 'Starts a battery test.',
      auth: 'write',
      action: {
        denied: 'CONTROL_SELF_TEST',
        failed: 'CONTROL_SELF_TEST',
        target: ({ name = '' }) => `start a self test of ${name}`,
      },
      takesBody: true,
      gives: SelfTestIssuedBody,
      fails: ['CONFLICT', 'UNSUPPORTED', 'NUT_ERROR', 'SUPERVISOR_UNAVAILABLE'],
      precheck: () => requireControlEnabled(context),
      answer: (request) => startTest(context, request.params['name'] ?? '', request),
    },
  ];
}

export async function startTest(context: RouteContext, name: string, request: Request): Promise<Reply> {
  const { row } = namedUps(context, name);
  const outcome = await context.sendCommand('selfTest.run', {
    group: row.groupId,
    principal: callerOf(request),
  });
  if (!outcome.ok && outcome.error.code === 'CONFLICT')
    throw new ApiProblem(
      'CONFLICT',
      `No test was started. Condition that is not met: ${outcome.error.message}.`,
      {
        recorded: true,
      },
    );
  if (!outcome.ok && outcome.error.code === controlFailure.unsupported)
    throw new ApiProblem(
      'UNSUPPORTED',
      'The UPS does not offer this test. Set self_test.command to one of its commands (GET .../commands).',
      { recorded: true },
    );
  const { command } = done(outcome);
  return json({ ups: row.name, command, status: 'issued' } satisfies SelfTestIssuedBody);
}
