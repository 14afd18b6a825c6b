// The routes of the control socket, for the command line (specification/api.md#local-socket). A client that can open the
// socket is the principal `local`.
import type {
  AddressBody,
  ExplainAllBody,
  NotificationTestBody,
  PlanAllBody,
} from '../../../shared/http/bodies.js';
import type { RedundancyRow } from '../../../shared/domain/status/status-model.js';
import type { PublishedUps } from '../../../shared/protocol/api.js';
import { ApiProblem, supervisorUnavailable } from '../http/problem.js';
import { textOf } from '../http/query.js';
import { commands, requireControlEnabled } from './commands.js';
import { events, history } from './history.js';
import { readiness } from './liveness.js';
import { outage, outages } from './outages.js';
import { importBatch, importTargets } from './import.js';
import { groupExplanation, groupPlan } from './redundancy.js';
import type { RouteContext } from './route-context.js';
import { findGroup, namedUps, publishedModel } from './route-context.js';
import type { Principal, Reply, Request, Route } from '../http/route.js';
import { json } from '../http/route.js';
import { batteries, recovery, recoveryCheck, remoteHealth, servers, serversTook } from './device.js';
import { reload } from './reload.js';
import { report } from './reports.js';
import { startTest } from './self-test.js';
import { sequence } from './sequence.js';
import { stream } from './stream.js';
import { support } from './support.js';
import { explanation, readings, shutdownPlan, status } from './ups.js';

export function controlRoutes(context: RouteContext): readonly Route[] {
  return [
    get('status', 'State of every UPS and redundancy group.', () => status(context)),
    get('ready', 'Whether the daemon can do its job; 503 when not.', () => readiness(context)),
    get('address', 'Where the API listens: the port that api.port = 0 has got.', () =>
      json({ address: context.address() } satisfies AddressBody),
    ),
    get('sequence', 'The running shutdown sequence, or the last one.', () => sequence(context)),
    get('events', 'The newest events that match; parameters as GET /api/v1/events.', (request) =>
      events(context, request),
    ),
    get(
      'history',
      'Stored values of one metric; ?ups=NAME and the parameters of GET .../history.',
      (request) => {
        const { query, signal } = request;
        const accepted = request.accepted.bind(request);
        return history(context, { query, signal, accepted, params: { name: textOf(query, 'ups') ?? '' } });
      },
    ),
    get('outages', 'The newest outages that match; parameters as GET /api/v1/outages.', (request) =>
      outages(context, request),
    ),
    get('outage', 'One outage; ?id=N and ?format=json|csv|html.', (request) =>
      outage(context, textOf(request.query, 'id') ?? '', request),
    ),
    get(
      'report',
      'A report; ?period=day|week|month and the parameters of GET /api/v1/reports/{period}.',
      (request) => report(context, textOf(request.query, 'period') ?? '', request),
    ),
    get(
      'explain',
      'How far each trigger is from firing; ?ups=NAME for one UPS or group.',
      async (request) => {
        const { upses, groups } = selectTargets(context, request);
        return json({
          ups: await Promise.all(upses.map((ups) => explanation(context, ups))),
          groups: await Promise.all(groups.map((one) => groupExplanation(context, one))),
        } satisfies ExplainAllBody);
      },
    ),
    get('readings', 'Every NUT variable of the last good poll; ?ups=NAME.', async ({ query }) =>
      json(await readings(context, namedUps(context, textOf(query, 'ups') ?? ''))),
    ),
    get(
      'commands',
      'The instant commands of a UPS; ?ups=NAME. Refused while nut_control is off.',
      ({ query }) => {
        requireControlEnabled(context);
        return commands(context, textOf(query, 'ups') ?? '');
      },
    ),
    get(
      'plan',
      'The shutdown plans with their commands; ?ups=NAME for one UPS or group.',
      async (request) => {
        const { upses, groups } = selectTargets(context, request);
        const { principal } = request;
        return json({
          plans: await Promise.all(upses.map((ups) => shutdownPlan(context, ups, principal))),
          groups: await Promise.all(groups.map((one) => groupPlan(context, one, principal))),
        } satisfies PlanAllBody);
      },
    ),
    get('stream', 'Status, events and the sequence as they change, as Server-Sent Events.', () =>
      stream(context, 'uncounted'),
    ),
    get('support', 'An archive for a bug report (tar.gz).', ({ principal, signal }) =>
      support(context, principal, signal),
    ),
    get('battery-health', 'The health of every battery.', () => batteries(context)),
    get('remote-health', 'The last probe of every remote server.', () => remoteHealth(context)),
    get('recovery', 'Who was up before the outage, and what brings it back.', () => recovery(context)),
    get('recovery/check', 'Of each machine its way back after an outage, and what speaks against it.', () =>
      recoveryCheck(context),
    ),
    get('servers', 'Every remote server with how long its shutdowns and drills took.', ({ signal }) =>
      servers(context, signal),
    ),
    {
      ...post('servers', 'What a drill has measured.', (request) => serversTook(context, request)),
      takesBody: true,
    },
    post('reload', 'Reloads the configuration file.', (request) => reload(context, request)),
    post('self-test', 'Starts a battery test; ?ups=NAME.', (request) =>
      startTest(context, textOf(request.query, 'ups') ?? '', request),
    ),
    get('import', 'What an import has to know: the UPSes, and how long history is kept.', () =>
      importTargets(context),
    ),
    {
      ...post('import', 'Adds a batch of history of another program.', (request) =>
        importBatch(context, request),
      ),
      takesBody: true,
    },
    post('cancel', 'Cancels a shutdown sequence before its point of no return.', ({ principal }) =>
      cancel(context, principal),
    ),
    post(
      'notifications/test',
      'Sends a test message to every notification service and returns the result of each.',
      async ({ principal }) =>
        json((await context.supervisor.testNotifications(principal)) satisfies NotificationTestBody),
    ),
  ];
}

const routeBy =
  (method: Route['method']) =>
  (name: string, description: string, answer: Route['answer']): Route => ({
    method,
    path: `/control/v1/${name}`,
    description,
    auth: 'open',
    answer,
  });
const get = routeBy('GET');
const post = routeBy('POST');

async function cancel(context: RouteContext, principal: Principal): Promise<Reply> {
  const outcome = await context.sendCommand('sequence.cancel', { principal });
  if (outcome.ok) return json(outcome.value);
  if (outcome.error.code === 'CONFLICT') throw new ApiProblem('CONFLICT', `${outcome.error.message}.`);
  throw supervisorUnavailable(`The supervisor did not answer (${outcome.error.message}).`);
}

/** All, or the named one: a group where the name is that of a group. */
function selectTargets(
  context: RouteContext,
  { query }: Request,
): { readonly upses: readonly PublishedUps[]; readonly groups: readonly RedundancyRow[] } {
  const name = query.get('ups');
  const { redundancyGroups } = publishedModel(context);
  if (name === null) return { upses: context.model.ups, groups: redundancyGroups };
  const group = findGroup(context, name);
  return group === undefined
    ? { upses: [namedUps(context, name)], groups: [] }
    : { upses: [], groups: [group] };
}
