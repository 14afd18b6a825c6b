// The energy of a UPS: the windows of now, and its days or months (specification/api-resources.md#energy).
import { flagsOfEstimate } from '../../../shared/domain/ups/energy.js';
import { localDate, periodAt, startOfDay } from '../../../shared/domain/base/local-calendar.js';
import { integerFrom, oneOf } from '../../../shared/domain/base/units.js';
import { EnergyBody, EnergyHistoryBody } from '../../../shared/http/device-bodies.js';
import type { EnergySum } from '../history/energy-series.js';
import { csvReply, ListFormat, listFormat, timeOf } from '../http/csv.js';
import { integerOf, wordOf } from '../http/query.js';
import type { Reply, Request, Route } from '../http/route.js';
import { json } from '../http/route.js';
import { got } from './history.js';
import type { RouteContext } from './route-context.js';
import { namedUps, upsRoute } from './route-context.js';

const By = oneOf('day', 'month');
const parameters = {
  by: { takes: By, hint: 'default day' },
  count: { takes: integerFrom(1, 400), hint: 'the newest days or months; default 31' },
  format: { takes: ListFormat, hint: 'default by the Accept header' },
} as const;

const joulesPerKwh = 3_600_000;
/** Missing time that is no gap: steps around a restart, and the last minute, which is not written yet. */
const toleratedSeconds = 240;

export function energyRoutes(context: RouteContext): readonly Route[] {
  return [
    upsRoute(
      context,
      'energy',
      'Energy of today, this month and this year; null while unknown.',
      EnergyBody,
      ({ row, telemetry }) => ({ ups: row.name, energy: telemetry.energy }) satisfies EnergyBody,
    ),
    {
      method: 'GET',
      path: '/api/v1/ups/{name}/energy-history',
      description: 'Energy by day or month in the local time of the daemon, oldest first.',
      auth: 'read',
      query: parameters,
      gives: EnergyHistoryBody,
      formats: ['text/csv'],
      fails: ['SUPERVISOR_UNAVAILABLE', 'STATS_UNAVAILABLE'],
      answer: (request) => energyHistory(context, request),
    },
  ];
}

async function energyHistory(context: RouteContext, request: Request): Promise<Reply> {
  const { params, query, signal } = request;
  const format = listFormat(request);
  const by = wordOf(query, 'by', By, 'day' as const);
  const count = integerOf(query, 'count', parameters.count.takes, 31);
  const { row } = namedUps(context, params['name'] ?? '');
  const now = context.clock.wallSeconds();
  const sums = got(
    await context.history.energy({ groupId: row.groupId, by, first: firstDay(by, count, now) }, signal),
  );
  const { costPerKwh, currency } = context.settings().reports;
  const data = sums.map((sum) => dataOf(sum, by, now, costPerKwh));
  const body: EnergyHistoryBody = { ups: row.name, by, currency, data };
  if (format === 'json') return json(body);
  const head = ['period', 'from', 'kwh', 'cost', 'estimated', 'power_factor', 'partial'];
  const cells = data.map(({ label, from, kwh, cost, estimated, powerFactor, partial }) => [
    ...[label, timeOf(from), kwh, cost, String(estimated), powerFactor, String(partial)],
  ]);
  return csvReply([head, ...cells], `${row.groupId}-energy-by-${by}.csv`);
}

function firstDay(by: 'day' | 'month', count: number, now: number): number {
  const at = new Date(now * 1000);
  const [year, month, day] = [at.getFullYear(), at.getMonth(), at.getDate()];
  const first = by === 'day' ? new Date(year, month, day - count + 1) : new Date(year, month - count + 1, 1);
  return Number(localDate(first.getTime() / 1000).replaceAll('-', ''));
}

function dataOf(
  { day, joules, seconds, estimated, since }: EnergySum,
  by: 'day' | 'month',
  now: number,
  costPerKwh: number,
): EnergyHistoryBody['data'][number] {
  const { from, to } = periodAt(by, startOfDay(by === 'day' ? day : day + 1) / 1000);
  const kwh = Math.round((joules / joulesPerKwh) * 1e4) / 1e4;
  return {
    from,
    label: localDate(from).slice(0, by === 'day' ? 10 : 7),
    kwh,
    cost: costPerKwh > 0 ? Math.round(kwh * costPerKwh * 1e4) / 1e4 : null,
    ...flagsOfEstimate(estimated),
    partial: Math.min(to, now) - Math.max(from, since / 1000) - seconds > toleratedSeconds,
  };
}
