// Outages: the list, and one with its shutdowns, events and evidence as JSON, CSV or a page
// (specification/api-resources.md#outages).
import { integerFrom, oneOf, textUpTo } from '../../../shared/domain/base/units.js';
import { OutageBody, OutagesBody } from '../../../shared/http/outage-bodies.js';
import type { OutageRow } from '../../../shared/http/outage-bodies.js';
import { pageHeaders } from '../html/document.js';
import { csvReply, listFormat, ListFormat, timeOf } from '../http/csv.js';
import { ApiProblem } from '../http/problem.js';
import { integerOf, spanOf, textOf, wordOf } from '../http/query.js';
import type { Reply, Request, Route } from '../http/route.js';
import { json } from '../http/route.js';
import { namedEvent } from '../history/named-event.js';
import { outageRows } from '../outage-report/rows.js';
import { outagePage } from '../outage-report/page.js';
import { got, span } from './history.js';
import type { RouteContext } from './route-context.js';

const Format = oneOf('json', 'csv', 'html');
const mediaTypes = { json: 'application/json', csv: 'text/csv', html: 'text/html' } as const;
const listParameters = {
  limit: { takes: integerFrom(1, 1000), hint: 'number of newest outages; default 100' },
  ups: { takes: textUpTo(256), hint: 'of one UPS, also one that is no longer configured' },
  ...span,
  before: {
    takes: integerFrom(0, Number.MAX_SAFE_INTEGER),
    hint: 'only outages that began before the one with this id',
  },
  format: { takes: ListFormat, hint: 'default by the Accept header' },
} as const;

export function outageRoutes(context: RouteContext): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/outages',
      description: 'The newest times on battery that match, oldest first.',
      auth: 'read',
      query: listParameters,
      gives: OutagesBody,
      formats: [mediaTypes.csv],
      fails: ['SUPERVISOR_UNAVAILABLE', 'STATS_UNAVAILABLE'],
      answer: (request) => outages(context, request),
    },
    {
      method: 'GET',
      path: '/api/v1/outages/{id}',
      description: 'One outage with its shutdowns, events and the readings around it.',
      auth: 'read',
      query: { format: { takes: Format, hint: 'default by the Accept header' } },
      gives: OutageBody,
      formats: [mediaTypes.csv, mediaTypes.html],
      fails: ['SUPERVISOR_UNAVAILABLE', 'STATS_UNAVAILABLE'],
      answer: (request) => outage(context, request.params['id'] ?? '', request),
    },
  ];
}

export async function outages(context: RouteContext, request: Request): Promise<Reply> {
  const { query, signal } = request;
  const ups = textOf(query, 'ups');
  const found = await context.history.outages(
    {
      limit: integerOf(query, 'limit', listParameters.limit.takes, 100),
      source: ups === null ? null : (context.model.find(ups)?.row.groupId ?? ups),
      ...spanOf(query),
      before: integerOf(query, 'before', listParameters.before.takes, null),
    },
    signal,
  );
  const rows = got(found).map((row) => ({ ...row, ...namesOf(context, row.source) }));
  if (listFormat(request) === 'csv') return csvReply(listCells(rows), 'outages.csv');
  return json({ generatedAt: context.clock.wallSeconds(), outages: rows } satisfies OutagesBody);
}

export async function outage(context: RouteContext, id: string, request: Request): Promise<Reply> {
  const format = wordOf(request.query, 'format', Format, null) ?? acceptedFormat(request);
  const groups = context.model.daemon?.redundancyGroups ?? [];
  const groupsOf = (source: string): readonly string[] => [
    source,
    ...groups
      .filter(({ upsSources }) => upsSources.includes(namesOf(context, source).ups))
      .map(({ groupId }) => groupId),
  ];
  const record = /^\d{1,15}$/.test(id)
    ? got(await context.history.outage(Number(id), groupsOf, request.signal))
    : null;
  if (record === null)
    throw new ApiProblem(
      'NOT_FOUND',
      'There is no outage of this number. `ridethrough outages` and GET /api/v1/outages list them.',
    );
  const body: OutageBody = {
    ...record,
    ...namesOf(context, record.source),
    generatedAt: context.clock.wallSeconds(),
    events: record.events.map((event) => namedEvent(context.model, event)),
  };
  if (format === 'csv') return csvReply(outageRows(body), `outage-${id}.csv`);
  if (format === 'html')
    return { status: 200, type: 'text/html; charset=utf-8', body: outagePage(body), headers: pageHeaders };
  return json(body);
}

function acceptedFormat(request: Request): 'json' | 'csv' | 'html' {
  const accepted = request.accepted(Object.values(mediaTypes));
  return (['csv', 'html'] as const).find((format) => mediaTypes[format] === accepted) ?? 'json';
}

/** The configured names; of a UPS that is no longer configured its source. */
function namesOf({ model }: RouteContext, source: string): Pick<OutageRow, 'ups' | 'label'> {
  const row = model.rowOf(source);
  return { ups: row?.name ?? source, label: row?.label ?? source };
}

function listCells(rows: readonly OutageRow[]): readonly (readonly (string | number | null)[])[] {
  const header = ['id', 'ups', 'label', 'cause', 'start', 'end', 'duration_seconds', 'interruptions'];
  const lowest = ['lowest_charge', 'lowest_runtime_seconds'];
  const energy = ['energy_wh', 'energy_estimated', 'power_factor'];
  return [
    [...header, ...lowest, ...energy, 'shutdowns', 'duration_uncertain'],
    ...rows.map((one) => [
      ...[
        one.id,
        one.ups,
        one.label,
        one.cause,
        timeOf(one.start),
        one.end === null ? null : timeOf(one.end),
        one.durationSeconds,
      ],
      ...[
        one.interruptions,
        one.lowestCharge,
        one.lowestRuntimeSeconds,
        one.energyWh,
        String(one.energyEstimated),
        one.powerFactor,
      ],
      one.shutdowns.map(({ why }) => why).join('; '),
      String(one.durationUncertain),
    ]),
  ];
}
