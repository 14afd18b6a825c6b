// Routes of a UPS beyond its row (battery health, energy, self tests), and of the remote servers.
import {
  BatteryHealthBody,
  EnergyBody,
  RemoteHealthBody,
  SelfTestBody,
  SelfTestIssuedBody,
} from '../../../shared/http/device-bodies.js';
import { Problem } from '../http/problem.js';
import type { RouteContext } from './route-context.js';
import { published, upsRoute } from './route-context.js';
import type { Reply, Route } from '../http/route.js';
import { json } from '../http/route.js';

function notOfThisVersion(): never {
  throw new Problem('FORBIDDEN', 'This version of the daemon does not start battery tests.');
}

export function deviceRoutes(context: RouteContext): readonly Route[] {
  return [
    upsRoute(
      context,
      'battery-health',
      'Health of the battery and when to replace it; null while unknown.',
      BatteryHealthBody,
      ({ row }) => ({ ups: row.name, batteryHealth: null }) satisfies BatteryHealthBody,
    ),
    upsRoute(
      context,
      'energy',
      'Energy of today, this month and this year; null while unknown.',
      EnergyBody,
      ({ row, telemetry }) => ({ ups: row.name, energy: telemetry.energy }) satisfies EnergyBody,
    ),
    upsRoute(
      context,
      'self-test',
      'The last self test and its result; null while unknown.',
      SelfTestBody,
      ({ row }) => ({ ups: row.name, selfTest: null }) satisfies SelfTestBody,
    ),
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
      fails: ['CONFLICT', 'UNSUPPORTED', 'NUT_ERROR'],
      precheck: notOfThisVersion,
      answer: notOfThisVersion,
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
  ];
}

export function remoteHealth(context: RouteContext): Reply {
  const { remoteHealth: servers } = published(context);
  return json({ generatedAt: context.clock.wallSeconds(), servers } satisfies RemoteHealthBody);
}
