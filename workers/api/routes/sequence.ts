// GET /api/v1/sequence: the running shutdown sequence, or the last one.
import { SequenceModel } from '../../../shared/domain/status/status-model.js';
import type { RouteContext } from './route-context.js';
import { publishedModel } from './route-context.js';
import type { Reply, Route } from '../http/route.js';
import { json } from '../http/route.js';

export function sequenceRoutes(context: RouteContext): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/sequence',
      description: 'The running shutdown sequence, or the last one, step by step, and the others beside it.',
      auth: 'read',
      gives: SequenceModel,
      fails: ['SUPERVISOR_UNAVAILABLE'],
      answer: () => sequence(context),
    },
  ];
}

export function sequence(context: RouteContext): Reply {
  return json(publishedModel(context).sequence);
}
