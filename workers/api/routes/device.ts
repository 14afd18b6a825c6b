// Routes of a UPS beyond its row (battery health), and of the remote servers.
import { BatteryHealthBody, RemoteHealthBody } from '../../../shared/http/device-bodies.js';
import type { RouteContext } from './route-context.js';
import { published, upsRoute } from './route-context.js';
import type { Reply, Route } from '../http/route.js';
import { json } from '../http/route.js';

export function deviceRoutes(context: RouteContext): readonly Route[] {
  return [
    upsRoute(
      context,
      'battery-health',
      'Health of the battery and when to replace it; null while unknown.',
      BatteryHealthBody,
      ({ row }) => ({ ups: row.name, batteryHealth: null }) satisfies BatteryHealthBody,
    ),
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
