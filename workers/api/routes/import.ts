// The import of history, on the control socket alone (specification/api.md#local-socket): who may import, and batch after batch.
import * as t from 'io-ts';
import { HistoryOrder } from '../../../shared/protocol/api.js';
import type { ImportTargets } from '../../../shared/http/import-bodies.js';
import type { ImportResult } from '../../../shared/protocol/history-import.js';
import { fieldsOf } from '../http/fields.js';
import { ApiProblem } from '../http/problem.js';
import type { Reply, Request } from '../http/route.js';
import { json } from '../http/route.js';
import type { RouteContext } from './route-context.js';
import { publishedModel } from './route-context.js';

/** What the command line has to know before it reads a file. */
export function importTargets(context: RouteContext): Reply {
  publishedModel(context);
  const { enabled, retention } = context.settings().statistics;
  const ups = context.model.ups.map(({ row: { name, groupId, label } }) => ({ name, groupId, label }));
  return json({ enabled, retention, ups } satisfies ImportTargets);
}

const Order = t.type({ id: HistoryOrder.props.id, isLast: t.boolean, batch: HistoryOrder.props.batch });

export async function importBatch(context: RouteContext, { body, principal }: Request): Promise<Reply> {
  const outcome = await context.sendCommand('history.import', { principal, ...fieldsOf(Order, body) });
  if (outcome.ok) return json(outcome.value satisfies ImportResult);
  const { code, message } = outcome.error;
  if (code === 'NOT_FOUND') throw new ApiProblem('NOT_FOUND', 'No UPS of this name is configured.');
  if (code === 'CONFLICT') throw new ApiProblem('CONFLICT', `${message}.`);
  throw new ApiProblem('STATS_UNAVAILABLE', `The history cannot be written now (${message}).`);
}
