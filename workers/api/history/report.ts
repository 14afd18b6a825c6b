// Reads what a report needs of the history, for all UPSes at once (specification/reports.md).
import * as t from 'io-ts';
import type { Period } from '../../../shared/domain/base/local-calendar.js';
import { dayOf } from '../../../shared/domain/base/local-calendar.js';
import { OutageCause } from '../../../shared/domain/outage/outage.js';
import { SelfTestResult } from '../../../shared/domain/ups/self-test.js';
import { finite, oneOf } from '../../../shared/domain/base/units.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { ReadOptions, ReadPool } from './read-pool.js';
import type { StepSums } from './report-steps.js';
import { checkRows, stepSums } from './report-steps.js';

const coverageSql = `SELECT group_id AS source, day, seconds, first, last FROM coverage_days JOIN ups ON key = ups
  WHERE day BETWEEN $first AND $last`;
const CoverageDay = t.type({ source: t.string, day: finite, seconds: finite, first: finite, last: finite });

const energySql = `SELECT group_id AS source, day, d.joules, seconds, d.estimated, since
  FROM energy_days d JOIN energy_last l ON l.ups = d.ups JOIN ups ON key = d.ups WHERE day BETWEEN $first AND $last`;
const EnergyDay = t.type({
  source: t.string,
  day: finite,
  joules: finite,
  seconds: finite,
  estimated: finite,
  /** When the counting of the UPS began, in ms. */
  since: finite,
});
export type EnergyDay = t.TypeOf<typeof EnergyDay>;

const outageSql = `SELECT group_id AS source, cause, count(*) AS count,
    sum(max(0, min(ifnull(ended, $now), $to) - max(started, $from))) AS ms
  FROM outages o JOIN ups u ON u.key = o.ups WHERE started < $to AND (ended > $from OR ended IS NULL)
  GROUP BY o.ups, cause`;
const OutageSums = t.type({ source: t.string, cause: OutageCause, count: finite, ms: finite });

const testSql = `SELECT group_id AS source, started AS startedTs, s.source AS byWhom, result, raw
  FROM ups CROSS JOIN self_tests s ON ups = key WHERE started >= $from AND started < $to ORDER BY started`;
const Test = t.type({
  source: t.string,
  startedTs: finite,
  byWhom: oneOf('device', 'scheduler', 'api'),
  result: SelfTestResult,
  raw: t.string,
});

/** By charge, load or voltage: a UPS reports at least one of them. */
const knownSql = `SELECT group_id AS source FROM ups
  WHERE EXISTS (SELECT 1 FROM hourly WHERE ups = key AND metric IN (0, 2, 3) AND ts < $from)`;
const Known = t.type({ source: t.string });

const laterSql = `SELECT group_id AS source FROM ups
  WHERE EXISTS (SELECT 1 FROM coverage_days WHERE ups = key AND day > $last)`;

type BySource<A> = ReadonlyMap<string, readonly A[]>;
type Sums = BySource<StepSums>;

export interface ReportData {
  readonly charge: Sums;
  readonly load: Sums;
  readonly voltage: Sums;
  readonly coverage: BySource<t.TypeOf<typeof CoverageDay>>;
  readonly energy: BySource<EnergyDay>;
  readonly outages: BySource<t.TypeOf<typeof OutageSums>>;
  /** Oldest first. */
  readonly tests: readonly t.TypeOf<typeof Test>[];
  /** The UPSes with readings from before the period. */
  readonly known: ReadonlySet<string>;
  /** Those with readings from after it. */
  readonly later: ReadonlySet<string>;
}

/** Without statistics: nothing is known. */
export const noData: ReportData = {
  ...{ charge: new Map(), load: new Map(), voltage: new Map() },
  ...{
    coverage: new Map(),
    energy: new Map(),
    outages: new Map(),
    tests: [],
    known: new Set(),
    later: new Set(),
  },
};

export function readReport(
  pool: ReadPool,
  period: Period,
  nowSeconds: number,
  options: ReadOptions,
): Promise<Outcome<ReportData>> {
  const { from, to } = period;
  const days = { $first: dayOf(from * 1000), $last: dayOf(to * 1000 - 1) };
  const ms = { $from: from * 1000, $to: to * 1000, $now: Math.floor(nowSeconds * 1000) };
  return pool.read(
    `report ${JSON.stringify(period)}`,
    async (ask) => ({
      ...(await stepSums(ask, period)),
      coverage: bySource(checkRows(CoverageDay, await ask(coverageSql, days))),
      energy: bySource(checkRows(EnergyDay, await ask(energySql, days))),
      outages: bySource(checkRows(OutageSums, await ask(outageSql, ms))),
      tests: checkRows(Test, await ask(testSql, { $from: from, $to: to })),
      known: sourcesOf(checkRows(Known, await ask(knownSql, { $from: from }))),
      later: sourcesOf(checkRows(Known, await ask(laterSql, { $last: days.$last }))),
    }),
    options,
  );
}

function sourcesOf(rows: readonly { readonly source: string }[]): ReadonlySet<string> {
  return new Set(rows.map(({ source }) => source));
}

function bySource<A extends { readonly source: string }>(rows: readonly A[]): BySource<A> {
  const found = new Map<string, A[]>();
  for (const row of rows) {
    const list = found.get(row.source);
    if (list === undefined) found.set(row.source, [row]);
    else list.push(row);
  }
  return found;
}
