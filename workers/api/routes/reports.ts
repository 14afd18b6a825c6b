// Reports of a day, a week or a month as JSON, text, CSV or a page (specification/reports.md), and those that the daemon sends.
import { PeriodName, periodAt, periodBefore } from '../../../shared/domain/base/local-calendar.js';
import type { Period } from '../../../shared/domain/base/local-calendar.js';
import { maxHtmlLength, maxTextLength } from '../../../shared/domain/services/notification.js';
import { Report } from '../../../shared/domain/outage/report.js';
import { oneOf, textUpTo } from '../../../shared/domain/base/units.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { ComposedReport } from '../../../shared/protocol/reports.js';
import { pageHeaders } from '../html/document.js';
import { csvReply } from '../http/csv.js';
import { ApiProblem } from '../http/problem.js';
import { refusalOf, textOf, wordOf } from '../http/query.js';
import type { Reply, Request, Route } from '../http/route.js';
import { json } from '../http/route.js';
import { composeReport, maxListed } from '../report/compose.js';
import { fittingPage, reportPage } from '../report/page.js';
import { reportRows } from '../report/rows.js';
import { reportText } from '../report/text.js';
import { got } from './history.js';
import type { RouteContext } from './route-context.js';
import { publishedModel } from './route-context.js';

const Format = oneOf('json', 'csv', 'html', 'text');
const mediaTypes = {
  json: 'application/json',
  csv: 'text/csv',
  html: 'text/html',
  text: 'text/plain',
} as const;

export function reportRoutes(context: RouteContext): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/api/v1/reports/{period}',
      description:
        'The report of a day, week or month: availability, outages, voltage, energy, batteries, tests.',
      auth: 'read',
      query: {
        date: {
          takes: textUpTo(10),
          hint: 'a day of the period, as 2026-01-31 in the local time of the daemon, or "current"; default the last period that has ended',
        },
        format: { takes: Format, hint: 'default by the Accept header' },
      },
      gives: Report,
      formats: [mediaTypes.csv, mediaTypes.html, mediaTypes.text],
      fails: ['SUPERVISOR_UNAVAILABLE', 'STATS_UNAVAILABLE'],
      answer: (request) => report(context, request.params['period'] ?? '', request),
    },
  ];
}

export async function report(context: RouteContext, name: string, request: Request): Promise<Reply> {
  const format = wordOf(request.query, 'format', Format, null) ?? acceptedFormat(request);
  if (!PeriodName.is(name)) throw new ApiProblem('NOT_FOUND', 'A report is of a day, week or month.');
  const period = periodOf(context, name, textOf(request.query, 'date'));
  publishedModel(context);
  const value = got(await reportOf(context, period, request.signal));
  switch (format) {
    case 'json':
      return json(value);
    case 'csv':
      return csvReply(reportRows(value), `report-${value.title.replaceAll(/[^\w-]+/g, '-')}.csv`);
    case 'html':
      return { status: 200, type: 'text/html; charset=utf-8', body: reportPage(value), headers: pageHeaders };
    case 'text':
      return { status: 200, type: 'text/plain; charset=utf-8', body: reportText(value) };
  }
}

/** The report that the daemon sends: text and page within the limits of a message. */
export async function composedReport(
  context: RouteContext,
  { period, at }: { readonly period: PeriodName; readonly at: number },
  signal: AbortSignal,
): Promise<Outcome<ComposedReport>> {
  if (context.model.daemon === null)
    return {
      ok: false,
      error: { code: 'MODEL_INCOMPLETE', message: 'the state of the daemon is not known yet' },
    };
  const found = await reportOf(context, periodAt(period, at, context.settings().reports.weekday), signal);
  if (!found.ok) return found;
  const { value } = found;
  return {
    ok: true,
    value: { text: reportText(value, maxTextLength), html: fittingPage(value, maxHtmlLength) },
  };
}

async function reportOf(
  { history, model, clock, settings }: RouteContext,
  period: Period,
  signal: AbortSignal,
): Promise<Outcome<Report>> {
  const now = Math.floor(clock.wallSeconds());
  const data = await history.report(period, now, signal);
  if (!data.ok) return data;
  const span = { source: null, from: period.from, to: period.to - 1, before: null };
  const outages = await history.outages({ ...span, limit: maxListed }, signal);
  if (!outages.ok) return outages;
  const value = composeReport({
    ...{ period, now, data: data.value, outages: outages.value, price: settings().reports },
    rows: model.ups.map(({ row }) => row),
    remoteHealth: model.daemon?.remoteHealth ?? [],
  });
  return { ok: true, value };
}

/** Of the day `date`; the last one that has ended without it. */
function periodOf(context: RouteContext, name: PeriodName, date: string | null): Period {
  const now = context.clock.wallSeconds();
  const { weekday } = context.settings().reports;
  if (date === null) return periodBefore(name, now, weekday);
  if (date === 'current') return periodAt(name, now, weekday);
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? [];
  const at = new Date(Number(year), Number(month) - 1, Number(day));
  if (year === undefined || at.getMonth() !== Number(month) - 1 || at.getFullYear() < 1970)
    throw refusalOf('date', `expected a date such as 2026-01-31 or "current", found "${date.slice(0, 40)}"`);
  if (at.getTime() / 1000 > now) throw refusalOf('date', 'it is in the future');
  return periodAt(name, at.getTime() / 1000, weekday);
}

function acceptedFormat(request: Request): 'json' | 'csv' | 'html' | 'text' {
  const accepted = request.accepted(Object.values(mediaTypes));
  return (['csv', 'html', 'text'] as const).find((format) => mediaTypes[format] === accepted) ?? 'json';
}
