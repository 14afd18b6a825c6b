// DELETE /api/v1/ups/{name}/events (specification/api-writes.md#event-deletion): rows that match in all three fields.
import * as t from 'io-ts';
import { integerFrom } from '../../../shared/domain/base/units.js';
import { Deletion, maxDeletions } from '../../../shared/protocol/storage.js';
import { unanswered } from '../../../shared/protocol/contract.js';
import { fieldsOf } from '../http/fields.js';
import { ApiProblem } from '../http/problem.js';
import type { RouteContext } from './route-context.js';
import { namedUps } from './route-context.js';
import type { Reply, Request, Route } from '../http/route.js';
import { callerOf, json } from '../http/route.js';

const wholeNumber = integerFrom(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

const word = t.refinement(t.string, (text) => text !== '', 'a word');
/** The names appear in the answer to a wrong item. */
const item = t.type(
  { id: wholeNumber, ts: wholeNumber, eventType: word },
  'an event with id, ts and eventType',
);
const DeletionRequest = t.type(
  { items: t.readonlyArray(item, 'a list of events, each with id, ts and eventType') },
  'DeletionRequest',
);

const DeletionBody = t.type({ ups: t.string, deleted: integerFrom(0, maxDeletions) }, 'DeletionBody');

export function deletionRoutes(context: RouteContext): readonly Route[] {
  return [
    {
      method: 'DELETE',
      path: '/api/v1/ups/{name}/events',
      description: 'Deletes events of the UPS that match in id, ts and eventType; audit rows stay.',
      auth: 'write',
      action: {
        denied: 'EVENTS_DELETE_DENIED',
        failed: 'EVENTS_DELETE_FAILED',
        target: () => 'delete events',
      },
      takesBody: true,
      takes: DeletionRequest,
      gives: DeletionBody,
      fails: ['STATS_UNAVAILABLE'],
      answer: (request) => deletion(context, request),
    },
  ];
}

async function deletion(context: RouteContext, request: Request): Promise<Reply> {
  const { body } = request;
  const given = body['items'];
  if (Array.isArray(given) && given.length > maxDeletions)
    throw new ApiProblem('PAYLOAD_TOO_LARGE', `At most ${String(maxDeletions)} items at once.`);
  const { items } = fieldsOf(DeletionRequest, body);
  const { row } = namedUps(context, request.params['name'] ?? '');
  // A value that no row can have matches none.
  const possible = items.filter((item) => Deletion.is(item));
  const outcome = context.settings().statistics.enabled
    ? await context.sendCommand('events.delete', {
        group: row.groupId,
        principal: callerOf(request),
        items: possible,
      })
    : ({ ok: false, error: { code: 'DISABLED', message: 'statistics.enabled is false' } } as const);
  if (!outcome.ok) {
    const { code, message: why } = outcome.error;
    // Without an answer the deletion may have happened. The supervisor has recorded that, and storage records a deletion.
    if (unanswered.includes(code))
      throw new ApiProblem(
        'STATS_UNAVAILABLE',
        `It is not known whether events were deleted: ${why}. Read the events again.`,
        { recorded: true },
      );
    throw new ApiProblem(
      'STATS_UNAVAILABLE',
      `Nothing was deleted: the history cannot be written (${why}).`,
      {
        reason: why,
      },
    );
  }
  return json({ ups: row.name, deleted: outcome.value.deleted } satisfies t.TypeOf<typeof DeletionBody>);
}
