// Reads one metric of all UPSes by the steps of a period: the hourly tier where it is complete, finer rows only for what is not
// rolled up yet and for a period that does not begin with an hour of UTC. Never the samples of a day.
import * as t from 'io-ts';
import type { Period } from '../../../shared/domain/base/local-calendar.js';
import { stepsOf } from '../../../shared/domain/base/local-calendar.js';
import { metricOf } from '../../../shared/domain/status/metrics.js';
import { finite, orNull } from '../../../shared/domain/base/units.js';
import type { Ask } from './read-pool.js';

export interface Extreme {
  readonly value: number;
  readonly ts: number;
}

/** What a report needs of each metric. To add up all of it costs half as much again. */
const needs = { charge: ['low'], load: ['mean', 'high'], voltage: ['low', 'high'] } as const;
const reportMetrics = ['charge', 'load', 'voltage'] as const satisfies readonly (keyof typeof needs)[];
type ReportMetric = (typeof reportMetrics)[number];

/** `seconds`: the length of the rows; what is not rolled up has none. */
export interface StepSums {
  /** Place of the step in the period. */
  readonly step: number;
  /** Unix seconds: the rows begin then or later. */
  readonly from: number;
  /** Values, and their sum; 0, as null below, where the report does not need them. */
  readonly n: number;
  readonly total: number;
  readonly low: Extreme | null;
  readonly high: Extreme | null;
  readonly seconds: number;
}

const hour = 3600;
/** A value and its time in one integer, so that SQLite finds both in one pass. */
const timeRange = 10_000_000_000;

/** By UPS: the steps that have rows; a step that is not rolled up completely is there more than once. */
type SumsBySource = ReadonlyMap<string, readonly StepSums[]>;

export async function stepSums(
  ask: Ask,
  period: Period,
): Promise<Readonly<Record<ReportMetric, SumsBySource>>> {
  const sums = {
    charge: new Map<string, StepSums[]>(),
    load: new Map<string, StepSums[]>(),
    voltage: new Map<string, StepSums[]>(),
  };
  const names = new Map(checkRows(Name, await ask(namesSql, {})).map(({ ups, source }) => [ups, source]));
  const pieces = JSON.stringify(piecesOf(period));
  for (const sql of statements)
    for (const { steps } of checkRows(Row, await ask(sql, { $pieces: pieces })))
      for (const [[ups, place, step, from, seconds], [n, total, low, high]] of parseSteps(steps)) {
        const [metric, source] = [reportMetrics[place], names.get(ups)];
        if (metric === undefined || source === undefined || (n === 0 && low === null && high === null))
          continue;
        const { scale } = metricOf(metric);
        const one: StepSums = {
          step,
          from,
          seconds,
          n,
          total: (total ?? 0) / scale,
          low: extreme(low, scale),
          high: extreme(high, scale),
        };
        const found = sums[metric].get(source);
        if (found === undefined) sums[metric].set(source, [one]);
        else found.push(one);
      }
  return sums;
}

function extreme(packed: number | null, scale: number): Extreme | null {
  if (packed === null) return null;
  const ts = ((packed % timeRange) + timeRange) % timeRange;
  return { value: Math.floor(packed / timeRange) / scale, ts };
}

/** What SQLite adds up of the rows of a UPS in a piece. */
interface Columns {
  readonly ups: string;
  readonly n: string;
  readonly total: string;
  readonly low: string;
  readonly high: string;
  readonly ts: string;
  readonly seconds: string;
}

/** The sums of one metric over the rows of a piece, as SQL. */
function sumsOf(metric: ReportMetric, { ups, n, total, low, high, ts, seconds }: Columns): string {
  const needed: readonly string[] = needs[metric];
  const packed = (what: string): string => `${what} * ${String(timeRange)} + ${ts}`;
  return `json_array(json_array(${ups}, ${String(reportMetrics.indexOf(metric))}, piece.step, piece.a, ${seconds}),
    json_array(${needed.includes('mean') ? `${n}, sum(${total})` : '0, 0'},
      ${needed.includes('low') ? `min(${packed(low)})` : 'NULL'}, ${needed.includes('high') ? `max(${packed(high)})` : 'NULL'}))`;
}

const withPieces = `WITH piece (step, a, b, edge) AS (
    SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each($pieces)
  )`;

/** One index search for each UPS `u` and piece, without a sort. */
function bySearch(sums: string, rows: string, condition: string): string {
  return `${withPieces}
    SELECT (
      SELECT group_concat(sums) FROM (
        SELECT (SELECT ${sums} FROM ${rows} HAVING count(*) > 0) AS sums FROM piece WHERE ${condition}
      )
    ) AS steps FROM ups u`;
}

function rollup(
  metric: ReportMetric,
  table: string,
  seconds: number,
  span: string,
  condition: string,
): string {
  const sums = sumsOf(metric, {
    ...{ ups: 'u.key', n: 'sum(n)', total: 'total', low: 'low', high: 'high', ts: 'ts' },
    seconds: `${String(seconds)} * count(*)`,
  });
  const rows = `${table} WHERE ups = u.key AND metric = ${String(metricOf(metric).number)} AND ${span}`;
  return bySearch(sums, rows, condition);
}

/** Of samples: all metrics in one pass. A sum of nothing is NULL. */
function sampleSums(ups: string): string {
  const sums = reportMetrics.map((metric) =>
    sumsOf(metric, {
      ...{ ups, n: `count(${metric})`, total: metric, low: metric, high: metric, ts: 'ts / 1000' },
      seconds: '0',
    }),
  );
  return sums.join(" || ',' || ");
}

/** Hours and what is finer apart, so that a piece that is rolled up costs one search. */
const statements: readonly string[] = [
  ...reportMetrics.map((metric) =>
    rollup(metric, 'hourly', hour, 'ts >= piece.a AND ts < min(piece.b, u.hourly_until)', 'NOT piece.edge'),
  ),
  ...reportMetrics.map((metric) =>
    rollup(
      metric,
      'five_minute',
      300,
      'ts >= max(piece.a, iif(piece.edge, 0, u.hourly_until)) AND ts < min(piece.b, u.five_minute_until)',
      'piece.edge OR piece.b > u.hourly_until',
    ),
  ),
  bySearch(
    sampleSums('u.key'),
    'samples WHERE ups = u.key AND ts >= max(piece.a, u.five_minute_until) * 1000 AND ts < piece.b * 1000',
    'piece.b > u.five_minute_until',
  ),
  // These are in the order of time, and never older than the roll-ups: one pass over them serves all UPSes.
  `${withPieces}
    SELECT (
      SELECT group_concat(sums) FROM (
        SELECT ${sampleSums('ups')} AS sums FROM recent_samples
        WHERE ts >= piece.a * 1000 AND ts < piece.b * 1000 GROUP BY ups
      )
    ) AS steps FROM piece`,
];

const namesSql = 'SELECT key AS ups, group_id AS source FROM ups';
const Name = t.type({ ups: finite, source: t.string });
const Row = t.type({ steps: orNull(t.string) });
const Sums = t.tuple([
  t.tuple([finite, finite, finite, finite, finite]),
  t.tuple([finite, orNull(finite), orNull(finite), orNull(finite)]),
]);

function parseSteps(steps: string | null): readonly t.TypeOf<typeof Sums>[] {
  return steps === null ? [] : checkRows(Sums, JSON.parse(`[${steps}]`));
}

/**
 * The hours of UTC that begin in each step, and the rest of the period before the first and after the last of them: [place of
 * the step, from, to, whether it is such a rest].
 */
function piecesOf(period: Period): readonly (readonly [number, number, number, 0 | 1])[] {
  const { from, to } = period;
  const steps = stepsOf(period);
  const [first, last] = [Math.ceil(from / hour) * hour, Math.floor(to / hour) * hour];
  return [
    [0, from, first, 1],
    ...steps.map((step, place) => {
      const end = steps[place + 1];
      const begin = Math.ceil(step / hour) * hour;
      return [place, begin, end === undefined ? last : Math.ceil(end / hour) * hour, 0] as const;
    }),
    [steps.length - 1, last, to, 1],
  ];
}

/** Checks rows of SQLite; a failure is a bug. */
export function checkRows<A>(codec: t.Type<A>, found: unknown): readonly A[] {
  const all = t.readonlyArray(codec);
  if (!all.is(found)) throw new Error('unexpected row of a report');
  return found;
}
