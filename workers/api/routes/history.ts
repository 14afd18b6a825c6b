// The history of one UPS and the events of all: validates the query; the readers return the rows.
import { EventCategory } from '../../../shared/domain/status/events.js';
import { integerFrom, textUpTo } from '../../../shared/domain/base/units.js';
import { MetricName } from '../../../shared/domain/status/metrics.js';
import { EventsBody, HistoryBody } from '../../../shared/http/bodies.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { EventsQuery } from '../history/events.js';
import type { Series, SeriesQuery } from '../history/series.js';
import { namedEvent } from '../history/named-event.js';
import { readFailure } from '../history/read-pool.js';
import { csvReply, listFormat, ListFormat, timeOf } from '../http/csv.js';
import { ApiProblem } from '../http/problem.js';
import { integerOf, refusalOf, spanOf, textOf, unixSeconds, wordOf } from '../http/query.js';
import type { RouteContext } from './route-context.js';
import { namedUps } from './route-context.js';
import type { Reply, Request, Route } from '../http/route.js';
import { json } from '../http/route.js';

export const span = {
  from: { takes: unixSeconds, hint: 'inclusive; default the earliest kept' },
  to: { takes: unixSeconds, hint: 'inclusive; default now' },
} as const;

const historyParameters = {
  metric: { takes: MetricName, hint: 'default charge' },
  ...span,
  points: { takes: integerFrom(10, 5000), hint: 'maximum number of steps; default 1000' },
  format: { takes: ListFormat, hint: 'default by the Accept header' },
} as const;

const eventsParameters = {
  limit: { takes: integerFrom(1, 10_000), hint: 'number of newest events; default 100' },
  verbosity: {
    takes: integerFrom(0, 2),
    hint: '0 power and shutdown, 1 also diagnostics, 2 all; default 2',
  },
  category: { takes: EventCategory, hint: 'of one category only' },
  ...span,
  before: {
    takes: unixSeconds,
    hint: 'inclusive; with beforeSource and beforeId strictly before that row',
  },
  beforeSource: { takes: textUpTo(256), hint: 'source of the oldest row seen' },
  beforeId: { takes: integerFrom(0, Number.MAX_SAFE_INTEGER), hint: 'id of the oldest row seen' },
} as const;

export function historyRoutes(context: RouteContext): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/ups/{name}/history',
      description: 'Stored values of one metric, with the extremes of each step.',
      auth: 'read',
      query: historyParameters,
      gives: HistoryBody,
      formats: ['text/csv'],
      fails: ['SUPERVISOR_UNAVAILABLE', 'STATS_UNAVAILABLE'],
      answer: (request) => history(context, request),
    },
    {
      method: 'GET',
      path: '/api/v1/events',
      description: 'The newest events that match, oldest first.',
      auth: 'read',
      query: eventsParameters,
      gives: EventsBody,
      fails: ['SUPERVISOR_UNAVAILABLE', 'STATS_UNAVAILABLE'],
      answer: (request) => events(context, request),
    },
  ];
}

type HistoryRequest = Pick<Request, 'params' | 'query' | 'signal' | 'accepted'>;

export async function history(context: RouteContext, request: HistoryRequest): Promise<Reply> {
  const { params, query, signal } = request;
  const format = listFormat(request);
  const range: Omit<SeriesQuery, 'groupId'> = {
    metric: wordOf(query, 'metric', MetricName, 'charge' as const),
    ...spanOf(query),
    points: integerOf(query, 'points', historyParameters.points.takes, 1000),
  };
  const now = context.clock.wallSeconds();
  if (range.from !== null && range.to === null && range.from > now)
    throw refusalOf('from', 'it is later than "to", whose default is now');
  const { row } = namedUps(context, params['name'] ?? '');
  const series = got(await context.history.series({ ...range, groupId: row.groupId }, now, signal));
  if (format === 'csv') return csvReply(seriesCells(series), `${row.groupId}-${range.metric}.csv`);
  const body = (): HistoryBody => ({ ups: row.name, metric: range.metric, ...series });
  return { ...json(''), body: textOnce(series, () => JSON.stringify(body())) };
}

function seriesCells({ data }: Series): readonly (readonly (string | number)[])[] {
  const rows = data.map(({ ts, value, min, max }) => [timeOf(ts), ts, value, min, max]);
  return [['time', 'ts', 'value', 'min', 'max'], ...rows];
}

export async function events(
  context: RouteContext,
  { query, signal }: Pick<HistoryRequest, 'query' | 'signal'>,
): Promise<Reply> {
  const range: EventsQuery = {
    limit: integerOf(query, 'limit', eventsParameters.limit.takes, 100),
    verbosity: integerOf(query, 'verbosity', eventsParameters.verbosity.takes, 2) as 0 | 1 | 2,
    category: wordOf(query, 'category', EventCategory, null),
    ...spanOf(query),
    before: cursorOf(query),
  };
  const rows = got(await context.history.events(range, signal));
  const named = (): EventsBody['events'] => rows.map((event) => namedEvent(context.model, event));
  return {
    ...json(''),
    lead: `{"generatedAt":${String(context.clock.wallSeconds())},`,
    body: textOnce(rows, () => `"events":${JSON.stringify(named())}}`),
  };
}

/** The newest events of all tiers. */
export async function storedEvents(
  context: RouteContext,
  limit: number,
  signal: AbortSignal,
): Promise<EventsBody['events']> {
  const all = { limit, verbosity: 2, category: null, from: null, to: null, before: null } as const;
  return got(await context.history.events(all, signal)).map((event) => namedEvent(context.model, event));
}

/** Clients whose reads were one read get one text. */
const texts = new WeakMap<object, Buffer>();

function textOnce(read: object, text: () => string): Buffer {
  const bytes = texts.get(read) ?? Buffer.from(text());
  texts.set(read, bytes);
  return bytes;
}

/** `beforeSource` and `beforeId` only together, and only with `before` (specification/api-resources.md#events-query). */
function cursorOf(query: URLSearchParams): EventsQuery['before'] {
  const ts = integerOf(query, 'before', unixSeconds, null);
  const source = textOf(query, 'beforeSource');
  if (source !== null && !eventsParameters.beforeSource.takes.is(source))
    throw refusalOf('beforeSource', 'it is longer than any source');
  const id = integerOf(query, 'beforeId', eventsParameters.beforeId.takes, null);
  if (source === null && id === null) return ts === null ? null : { ts, at: null };
  if (ts === null) throw refusalOf('before', 'beforeSource and beforeId require it');
  if (source === null || source === '') throw refusalOf('beforeSource', 'beforeId requires it');
  if (id === null) throw refusalOf('beforeId', 'beforeSource requires it');
  return { ts, at: { source, id } };
}

/** A client that is refused for load comes back after this time. */
const retrySeconds = 2;

export function got<A>(outcome: Outcome<A>): A {
  if (outcome.ok) return outcome.value;
  const { code, message } = outcome.error;
  if (code === readFailure.busy)
    throw new ApiProblem('STATS_UNAVAILABLE', `The history cannot be read now: ${message}.`, {
      headers: { 'Retry-After': String(retrySeconds) },
    });
  throw new ApiProblem(
    'STATS_UNAVAILABLE',
    `The history cannot be read: ${message}. Monitoring and shutdown are not affected. See the log of the storage worker.`,
  );
}
