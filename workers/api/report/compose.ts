// Makes a report from what the history has of the period and the state of now. Pure.
import type { Period } from '../../../shared/domain/base/local-calendar.js';
import {
  dayOf,
  localDate,
  localTime,
  stepsOf,
  weekdays,
} from '../../../shared/domain/base/local-calendar.js';
import { shutdownReason } from '../../../shared/domain/outage/outage-wording.js';
import type { Report } from '../../../shared/domain/outage/report.js';
import type { RemoteHealthRow, UpsRow } from '../../../shared/domain/status/status-model.js';
import { statusWords } from '../../../shared/domain/ups/status-words.js';
import type { ReportData } from '../history/report.js';
import type { StoredOutage } from '../history/outages.js';
import type { UpsSources } from './ups-report.js';
import { upsReport } from './ups-report.js';

/** The longest lists of a report. */
export const maxListed = 100;

export interface ReportSources {
  readonly period: Period;
  /** Unix seconds. */
  readonly now: number;
  readonly data: ReportData;
  /** The newest of the period, oldest first. */
  readonly outages: readonly StoredOutage[];
  readonly rows: readonly UpsRow[];
  readonly remoteHealth: readonly RemoteHealthRow[];
  /** `costPerKwh` 0: no cost is shown. */
  readonly price: { readonly costPerKwh: number; readonly currency: string };
}

export function composeReport(sources: ReportSources): Report {
  const { period, now, data, outages, rows, remoteHealth, price } = sources;
  const steps = labelledSteps(period);
  const configured = new Map(rows.map((row) => [row.groupId, row]));
  const label = (source: string): string => configured.get(source)?.label ?? source;
  const ups = [...new Set([...configured.keys(), ...sourcesOf(data)])].map((source) => {
    const row = configured.get(source);
    return {
      ...{ ups: row?.name ?? source, label: label(source), source },
      ...upsReport({ source, period, now, data, steps, costPerKwh: price.costPerKwh }),
      battery: row === undefined ? null : batteryOf(row),
    };
  });
  const energyKwh = sum(ups.map((one) => one.energyKwh));
  return {
    generatedAt: now,
    ...period,
    title: titleOf(period),
    isOver: now >= period.to,
    before: localDate(period.from - 1),
    after: now >= period.to ? localDate(period.to) : null,
    currency: price.currency,
    energyKwh,
    cost: energyKwh === null || price.costPerKwh === 0 ? null : energyKwh * price.costPerKwh,
    ups,
    outages: outages.map((outage) => ({
      ...{
        id: outage.id,
        label: label(outage.source),
        cause: outage.cause,
        start: outage.start,
        end: outage.end,
      },
      ...{ durationSeconds: outage.durationSeconds, durationUncertain: outage.durationUncertain },
      lowestCharge: outage.lowestCharge,
      shutdowns: outage.shutdowns.map(shutdownReason),
    })),
    tests: data.tests.slice(-maxListed).map(({ source, startedTs, byWhom, result, raw }) => ({
      ...{ label: label(source), startedTs, result, raw, source: byWhom },
    })),
    targets: remoteHealth
      .filter(({ status }) => status !== 'HEALTHY' && status !== 'DISABLED')
      .map(({ server, group, status, lastError }) => ({
        ...{ server, group: label(group), status, lastError: lastError ?? '' },
      })),
  };
}

/** UPSes that are no longer configured, but were in the period. */
function sourcesOf({ coverage, energy, outages, voltage, load, charge }: ReportData): readonly string[] {
  return [coverage, energy, outages, voltage, load, charge].flatMap((found) => [...found.keys()]).sort();
}

function batteryOf({ batteryHealth, status }: UpsRow): Report['ups'][number]['battery'] {
  const isWorn = statusWords(status).includes('RB');
  return {
    score: batteryHealth?.score ?? null,
    replacementDue: isWorn || batteryHealth?.replacementDue === true,
  };
}

function titleOf({ period, from, to }: Period): string {
  const last = localDate(to - 1);
  switch (period) {
    case 'day':
      return `${weekdays[new Date(from * 1000).getDay()] ?? ''} ${last}`;
    case 'week':
      return `${localDate(from)} to ${last}`;
    case 'month':
      return last.slice(0, 7);
  }
}

/** Labelled with the hour, or the date. */
function labelledSteps(period: Period): UpsSources['steps'] {
  return stepsOf(period).map((ts) => ({
    ts,
    label: period.period === 'day' ? localTime(ts).slice(11, 16) : localDate(ts),
    day: period.period === 'day' ? null : dayOf(ts * 1000),
  }));
}

function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((a, b) => a + b, 0);
}
