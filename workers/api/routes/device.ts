// Routes of the battery of a UPS and of the remote servers.
import { integerFrom } from '../../../shared/domain/base/units.js';
import type { BatteriesBody } from '../../../shared/http/battery-bodies.js';
import { BatteryHealthBody, BatteryHistoryBody } from '../../../shared/http/battery-bodies.js';
import {
  RecoveryBody,
  RecoveryCheckBody,
  RemoteHealthBody,
  ServersBody,
} from '../../../shared/http/device-bodies.js';
import { noServerTimes } from '../../../shared/domain/outage/server-time.js';
import { serverTimes } from '../../../shared/protocol/storage.js';
import { fieldsOf } from '../http/fields.js';
import { supervisorUnavailable } from '../http/problem.js';
import { integerOf } from '../http/query.js';
import { got } from './history.js';
import type { RouteContext } from './route-context.js';
import { namedUps, publishedModel, upsRoute } from './route-context.js';
import type { Reply, Request, Route } from '../http/route.js';
import { json } from '../http/route.js';

/** A curve is some kB. */
const dischargeLimit = integerFrom(1, 50);

export function deviceRoutes(context: RouteContext): readonly Route[] {
  return [
    upsRoute(
      context,
      'battery-health',
      'Health of the battery and when to replace it; null while unknown.',
      BatteryHealthBody,
      ({ row, telemetry }) =>
        ({ ups: row.name, batteryHealth: telemetry.batteryHealth }) satisfies BatteryHealthBody,
    ),
    {
      method: 'GET',
      path: '/api/v1/ups/{name}/battery-health/history',
      description: 'Scores of the battery by day, and its newest discharges with their curves.',
      auth: 'read',
      query: { limit: { takes: dischargeLimit, hint: 'number of discharges; default 12' } },
      gives: BatteryHistoryBody,
      fails: ['SUPERVISOR_UNAVAILABLE', 'STATS_UNAVAILABLE'],
      answer: async ({ params, query, signal }) => {
        const { row } = namedUps(context, params['name'] ?? '');
        const limit = integerOf(query, 'limit', dischargeLimit, 12);
        const found = got(await context.history.battery(row.groupId, limit, signal));
        return json({ ups: row.name, ...found } satisfies BatteryHistoryBody);
      },
    },
    {
      method: 'GET',
      path: '/api/v1/remote-health',
      description: 'Health of every remote server at its last probe.',
      auth: 'read',
      gives: RemoteHealthBody,
      fails: ['SUPERVISOR_UNAVAILABLE'],
      answer: () => remoteHealth(context),
    },
    {
      method: 'GET',
      path: '/api/v1/recovery',
      description: 'Who was up before the outage, and what brings it back.',
      auth: 'read',
      gives: RecoveryBody,
      fails: ['SUPERVISOR_UNAVAILABLE'],
      answer: () => recovery(context),
    },
    {
      method: 'GET',
      path: '/api/v1/recovery/check',
      description:
        'Of each machine its way back after an outage, with the evidence and what speaks against it.',
      auth: 'read',
      gives: RecoveryCheckBody,
      fails: ['SUPERVISOR_UNAVAILABLE'],
      answer: () => recoveryCheck(context),
    },
    {
      method: 'GET',
      path: '/api/v1/servers',
      description: 'Every remote server with how long its shutdowns and drills took.',
      auth: 'read',
      gives: ServersBody,
      fails: ['STATS_UNAVAILABLE'],
      answer: ({ signal }) => servers(context, signal),
    },
  ];
}

export async function servers(context: RouteContext, signal: AbortSignal): Promise<Reply> {
  const times = got(await context.history.serverTimes(signal));
  const { ups, redundancyGroups } = context.settings().summary;
  const servers = [...ups, ...redundancyGroups].flatMap(({ groupId, remoteServers }) =>
    remoteServers
      .filter(({ enabled }) => enabled)
      .map(({ name, host, shutdownOrder }) => ({
        server: name,
        host,
        group: groupId,
        shutdownOrder,
        times: times.get(name) ?? noServerTimes,
      })),
  );
  return json({ generatedAt: context.clock.wallSeconds(), servers } satisfies ServersBody);
}

/** What a drill has measured, on the control socket alone. */
export async function serversTook(context: RouteContext, { body }: Request): Promise<Reply> {
  const outcome = await context.sendCommand('servers.measured', fieldsOf(serverTimes, body));
  if (!outcome.ok) throw supervisorUnavailable(`The supervisor did not answer (${outcome.error.message}).`);
  return json(outcome.value);
}

/** The health of every battery, for the command line. */
export function batteries(context: RouteContext): Reply {
  publishedModel(context);
  const batteries = context.model.ups.map(({ row, telemetry }) => ({
    ups: row.name,
    batteryHealth: telemetry.batteryHealth,
  }));
  return json({ batteries } satisfies BatteriesBody);
}

export function remoteHealth(context: RouteContext): Reply {
  const { remoteHealth: servers } = publishedModel(context);
  return json({ generatedAt: context.clock.wallSeconds(), servers } satisfies RemoteHealthBody);
}

export function recovery(context: RouteContext): Reply {
  const { recovery: status } = publishedModel(context);
  return json({ generatedAt: context.clock.wallSeconds(), ...status } satisfies RecoveryBody);
}

export async function recoveryCheck(context: RouteContext): Promise<Reply> {
  const check = await context.supervisor.recoveryCheck();
  return json({ generatedAt: context.clock.wallSeconds(), ...check } satisfies RecoveryCheckBody);
}
