// GET /api/v1/stream: the state and the events as they change, as Server-Sent Events.
import { ApiProblem } from '../http/problem.js';
import type { StreamPlace } from '../stream/streams.js';
import type { RouteContext } from './route-context.js';
import { publishedModel } from './route-context.js';
import type { Reply, Route } from '../http/route.js';

/** Another stream may have ended by then. */
const retryAfterSeconds = 10;

export function streamRoutes(context: RouteContext): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/stream',
      description: 'Status, events and the shutdown sequence as they change, as Server-Sent Events.',
      auth: 'read',
      text: 'text/event-stream',
      fails: ['SUPERVISOR_UNAVAILABLE'],
      answer: () => stream(context, 'counted'),
    },
  ];
}

export function stream(context: RouteContext, place: StreamPlace): Reply {
  publishedModel(context);
  const client = context.streams.open(place);
  if (client === null)
    throw new ApiProblem(
      'SUPERVISOR_UNAVAILABLE',
      'The maximum number of streams is open. Close one, or poll GET /api/v1/ups.',
      { headers: { 'Retry-After': String(retryAfterSeconds) } },
    );
  // The second header keeps nginx from buffering.
  return {
    status: 200,
    type: 'text/event-stream; charset=utf-8',
    body: client,
    headers: { 'X-Accel-Buffering': 'no' },
  };
}
