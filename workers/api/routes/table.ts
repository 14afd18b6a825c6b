// Every route on TCP (those of the control socket are in control.ts). The index is built from the table that registers them.
import * as t from 'io-ts';
import { IndexBody } from '../../../shared/http/bodies.js';
import { authRoutes } from './auth.js';
import { commandRoutes } from './commands.js';
import { configRoutes } from './config.js';
import { deletionRoutes } from './deletion.js';
import { deviceRoutes } from './device.js';
import { energyRoutes } from './energy.js';
import { historyRoutes } from './history.js';
import { livenessRoutes } from './liveness.js';
import { outageRoutes } from './outages.js';
import { redundancyRoutes } from './redundancy.js';
import { documentOf } from '../openapi/document.js';
import type { Parameter } from '../http/query.js';
import type { RouteContext } from './route-context.js';
import type { Route } from '../http/route.js';
import { json, roleFor } from '../http/route.js';
import { reloadRoutes } from './reload.js';
import { reportRoutes } from './reports.js';
import { selfTestRoutes } from './self-test.js';
import { sequenceRoutes } from './sequence.js';
import { supportRoutes } from './support.js';
import { streamRoutes } from './stream.js';
import { upsRoutes } from './ups.js';

function hintsOf(query: NonNullable<Route['query']>): Record<string, string> {
  const hint = ({ takes, hint: text }: Parameter) => `${takes.name}; ${text}`;
  return Object.fromEntries(Object.entries(query).map(([name, parameter]) => [name, hint(parameter)]));
}

/** `more`: the routes with their own dependencies, metrics and the page. */
export function tcpRoutes(context: RouteContext, more: readonly Route[]): readonly Route[] {
  const index: Route = {
    method: 'GET',
    path: '/api/v1',
    description: 'List of all routes.',
    auth: 'read',
    gives: IndexBody,
    answer: () =>
      json({
        generatedAt: context.clock.wallSeconds(),
        version: context.version,
        apiVersion: 'v1',
        endpoints: routes
          .filter((route) => route.served?.() !== false)
          .map((route) => ({
            method: route.method,
            path: route.path,
            description: route.description,
            auth: route.auth,
            role: roleFor(route),
            ...(route.query === undefined ? {} : { query: hintsOf(route.query) }),
          })),
      } satisfies IndexBody),
  };
  // It changes only with the base path: it is generated at the first request.
  let description = { basePath: '', text: '' };
  const openApi: Route = {
    method: 'GET',
    path: '/api/v1/openapi.json',
    description: 'Description of this API (OpenAPI 3.1).',
    auth: 'read',
    gives: t.UnknownRecord,
    answer: () => {
      const { basePath } = context.settings();
      if (description.text === '' || description.basePath !== basePath)
        description = { basePath, text: JSON.stringify(documentOf(routes, context.version, basePath)) };
      return json(description.text);
    },
  };
  const routes: readonly Route[] = [
    ...livenessRoutes(context),
    index,
    openApi,
    ...upsRoutes(context),
    ...deviceRoutes(context),
    ...energyRoutes(context),
    ...selfTestRoutes(context),
    ...commandRoutes(context),
    ...deletionRoutes(context),
    ...historyRoutes(context),
    ...outageRoutes(context),
    ...reportRoutes(context),
    ...redundancyRoutes(context),
    ...sequenceRoutes(context),
    ...streamRoutes(context),
    ...supportRoutes(context),
    ...configRoutes(context),
    ...authRoutes(context),
    ...reloadRoutes(context),
    ...more,
  ];
  return routes;
}
