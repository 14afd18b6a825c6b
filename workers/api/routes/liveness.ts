// GET /health and /ready: whether this process answers, and whether the daemon is ready.
import * as t from 'io-ts';
import { ReadyAloneBody } from '../../../shared/http/auth-bodies.js';
import { HealthBody, ReadyBody } from '../../../shared/http/bodies.js';
import type { RouteContext } from './route-context.js';
import { notPublishedYet } from './route-context.js';
import type { Reply, Route } from '../http/route.js';
import { json } from '../http/route.js';

export function livenessRoutes(context: RouteContext): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/health',
      description: 'Whether the API answers.',
      auth: 'open',
      gives: HealthBody,
      answer: () => json({ status: 'ok', generatedAt: context.clock.wallSeconds() } satisfies HealthBody),
    },
    {
      method: 'GET',
      path: '/ready',
      description:
        'Whether every UPS is connected and every configured shutdown step is possible; 503 if not.',
      auth: 'open',
      identifies: true,
      gives: t.union([ReadyBody, ReadyAloneBody]),
      alsoGives: 503,
      answer: ({ restricted }) => readiness(context, restricted),
    },
  ];
}

/** `alone`: the verdict without its reasons. */
export function readiness(context: RouteContext, withoutDetails = false): Reply {
  const body = readyBody(context);
  const shown: ReadyBody | ReadyAloneBody = withoutDetails ? { ready: body.ready } : body;
  return json(shown, body.ready ? 200 : 503);
}

export function readyBody(context: RouteContext): ReadyBody {
  const { daemon, ups } = context.model;
  if (daemon === null)
    return { ready: false, reasons: [notPublishedYet], capabilities: [], ups: [], workers: [] };
  return {
    ready: daemon.ready.ready,
    reasons: daemon.ready.reasons,
    capabilities: daemon.ready.capabilities,
    ups: ups.map(({ row, telemetry }) => ({
      groupId: row.groupId,
      connectionState: row.connectionState,
      lastUpdateTime: telemetry.lastUpdateTime,
    })),
    workers: daemon.ready.workers.map(({ name, state }) => ({ name, state })),
  };
}
