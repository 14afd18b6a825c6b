// The dependencies of the routes: model, requests to the supervisor, clock. Injected, so that a route owns nothing.
import type * as t from 'io-ts';
import type { RedundancyRow } from '../../../shared/domain/status/status-model.js';
import type { Clock } from '../../../shared/runtime/clock.js';
import type { ApiSettings, PublishedUps } from '../../../shared/protocol/api.js';
import type { AccessControl } from '../auth/access.js';
import type { Audit } from '../auth/audit.js';
import type { Login } from '../auth/login/login.js';
import type { DaemonModel, Model } from '../model/model.js';
import { ApiProblem, supervisorUnavailable } from '../http/problem.js';
import type { Principal, Route } from '../http/route.js';
import { json } from '../http/route.js';
import type { History } from '../history/history.js';
import type { SendCommand, SupervisorReads } from '../model/supervisor-requests.js';
import type { Streams } from '../stream/streams.js';

export interface RouteContext {
  readonly version: string;
  readonly clock: Clock;
  readonly model: Model;
  readonly supervisor: SupervisorReads;
  readonly sendCommand: SendCommand;
  readonly history: History;
  readonly streams: Streams;
  readonly settings: () => ApiSettings;
  /** Where the API listens, as `127.0.0.1:9191`; null while it listens nowhere. */
  readonly address: () => string | null;
  readonly access: AccessControl;
  readonly login: Login;
  readonly audit: Audit;
}

export const notPublishedYet =
  'The supervisor has not published its state to the API yet. After a start this takes about a second. If it takes longer, see the log.';

/** The model, or 503 before the supervisor has published it. */
export function publishedModel(context: RouteContext): DaemonModel {
  const { daemon } = context.model;
  if (daemon === null) throw supervisorUnavailable(notPublishedYet);
  return daemon;
}

/** The UPS that `{name}` means, or 404. */
export function namedUps(context: RouteContext, name: string): PublishedUps {
  publishedModel(context);
  const row = context.model.find(name);
  if (row === undefined)
    throw new ApiProblem('NOT_FOUND', 'No UPS of this name is configured. GET /api/v1/ups lists them all.');
  return row;
}

/** The redundancy group of this name or groupId, if there is one. */
export function findGroup(context: RouteContext, name: string): RedundancyRow | undefined {
  return publishedModel(context).redundancyGroups.find((row) => row.name === name || row.groupId === name);
}

/** A GET route below one UPS. */
export function upsRoute(
  context: RouteContext,
  path: string,
  description: string,
  gives: t.Mixed,
  answer: (ups: PublishedUps, principal: Principal) => object | Promise<object>,
): Route {
  return {
    method: 'GET',
    path: `/api/v1/ups/{name}/${path}`,
    description,
    auth: 'read',
    gives,
    fails: ['SUPERVISOR_UNAVAILABLE'],
    answer: async ({ params, principal }) =>
      json(await answer(namedUps(context, params['name'] ?? ''), principal)),
  };
}
