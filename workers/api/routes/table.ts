// Every route on TCP (the control socket's are in control.ts). The index is made of the same table that registers them.
import type { IndexBody } from '../../../shared/http/bodies.js';
import { configRoutes } from './config.js';
import { deviceRoutes } from './device.js';
import { historyRoutes } from './history.js';
import { livenessRoutes } from './liveness.js';
import { redundancyRoutes } from './redundancy.js';
import type { Room } from './room.js';
import type { Route } from './route.js';
import { json } from './route.js';
import { sequenceRoutes } from './sequence.js';
import { streamRoutes } from './stream.js';
import { upsRoutes } from './ups.js';

/** `more` are the routes with parts of their own: metrics and the page. */
export function tcpRoutes(room: Room, more: readonly Route[]): readonly Route[] {
  const index: Route = {
    method: 'GET',
    path: '/api/v1',
    description: 'This list.',
    auth: 'read',
    answer: () =>
      json({
        generatedAt: room.clock.wallSeconds(),
        version: room.version,
        apiVersion: 'v1',
        endpoints: routes
          .filter((route) => route.served?.() !== false)
          .map(({ method, path, description, auth, query }) => ({
            method,
            path,
            description,
            auth,
            ...(query === undefined ? {} : { query }),
          })),
      } satisfies IndexBody),
  };
  const routes: readonly Route[] = [
    ...livenessRoutes(room),
    index,
    ...upsRoutes(room),
    ...deviceRoutes(room),
    ...historyRoutes(room),
    ...redundancyRoutes(room),
    ...sequenceRoutes(room),
    ...streamRoutes(room),
    ...configRoutes(room),
    ...more,
  ];
  return routes;
}
