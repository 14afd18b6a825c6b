// Reads one metric of all UPSes by the steps of a period: the hourly tier where it is complete, finer rows only for what is not
// rolled up yet and for a period that does not begin with an hour of UTC. Never the samples of a day.
import * as t from 'io-ts';
import type { Period } from '../../../shared/domain/local-calendar.js';
import { stepsOf } from '../../../shared/domain/local-calendar.js';
import { metricOf } from '../../../shared/domain/metrics.js';
import { finite, orNull } from '../../../shared/domain/units.js';
import type { Ask } from './read-pool.js';

export interface Extreme {
  readonly value: number;
  readonly ts: number;
}

/** What a report needs of each metric. To add up all of it costs half as much again. */
const needs = { charge: ['low'], load: ['mean', 'high'], voltage: ['low', 'high'] } as const;
type ReportMetric = keyof typeof needs;

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

const sampleTables = ['samples', 'recent_samples'];

/** For each UPS (`source`) the steps that have rows; a step that is not rolled up completely is there twice. */
export async function stepSums(
  ask: Ask,
  metric: ReportMetric,
  period: Period,
): Promise<ReadonlyMap<string, readonly StepSums[]>> {
  const { number, scale } = metricOf(metric);
  const pieces = JSON.stringify(piecesOf(period));
  const rollup = (table: string, from: string, to: string, seconds: number): string =>
    `SELECT ts, n, total, low, high, ${String(seconds)} AS seconds FROM ${table}
     WHERE ups = u.key AND metric = ${String(number)} AND ts >= ${from} AND ts < ${to}`;
  const samples = (table: string): string =>
    `SELECT ts / 1000 AS ts, 1 AS n, ${metric} AS total, ${metric} AS low, ${metric} AS high, 0 AS seconds FROM ${table}
     WHERE ups = u.key AND ts >= max(piece.a, u.five_minute_until) * 1000 AND ts < piece.b * 1000 AND ${metric} IS NOT NULL`;
  const notHourly = 'max(piece.a, iif(piece.edge, 0, u.hourly_until))';
  const hourly = rollup('hourly', 'piece.a', 'min(piece.b, u.hourly_until)', hour);
  const finer = [
    rollup('five_minute', notHourly, 'min(piece.b, u.five_minute_until)', 300),
    ...sampleTables.map(samples),
  ].join(' UNION ALL ');
  // Two statements, so that a piece that is rolled up costs one search.
  const found = [
    ...(await ask(sumsSql(metric, hourly, 'NOT piece.edge'), { $pieces: pieces })),
    ...(await ask(sumsSql(metric, finer, 'piece.edge OR piece.b > u.hourly_until'), { $pieces: pieces })),
  ];
  const extreme = (packed: number | null): Extreme | null =>
    packed === null
      ? null
      : {
          value: Math.floor(packed / timeRange) / scale,
          ts: ((packed % timeRange) + timeRange) % timeRange,
        };
  const sums = new Map<string, readonly StepSums[]>();
  for (const { source, steps } of checked(Row, found)) {
    if (steps === null) continue;
    const more = checked(Sums, JSON.parse(`[${steps}]`)).map(
      ([step, [from, n, total], [low, high, seconds]]) => ({
        ...{ step, from, n, total: total / scale, seconds },
        ...{ low: extreme(low), high: extreme(high) },
      }),
    );
    sums.set(source, [...(sums.get(source) ?? []), ...more]);
  }
  return sums;
}

/** One index search for each UPS and piece, without a sort. */
function sumsSql(metric: ReportMetric, rows: string, condition: string): string {
  const needed: readonly string[] = needs[metric];
  const packed = (what: string): string => `${what} * ${String(timeRange)} + ts`;
  const mean = needed.includes('mean') ? 'sum(n), sum(total)' : '0, 0';
  const low = needed.includes('low') ? `min(${packed('low')})` : 'NULL';
  const high = needed.includes('high') ? `max(${packed('high')})` : 'NULL';
  return `WITH piece (step, a, b, edge) AS (
      SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each($pieces)
    )
    SELECT u.group_id AS source, (
      SELECT group_concat(sums) FROM (
        SELECT (
          SELECT json_array(
            piece.step, json_array(piece.a, ${mean}), json_array(${low}, ${high}, sum(seconds)))
          FROM (${rows}) HAVING count(*) > 0
        ) AS sums FROM piece WHERE ${condition}
      )
    ) AS steps FROM ups u`;
}

const Row = t.type({ source: t.string, steps: orNull(t.string) });
const Sums = t.tuple([
  finite,
  t.tuple([finite, finite, finite]),
  t.tuple([orNull(finite), orNull(finite), finite]),
]);

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
export function checked<A>(codec: t.Type<A>, found: unknown): readonly A[] {
  const all = t.readonlyArray(codec);
  if (!all.is(found)) throw new Error('unexpected row of a report');
  return found;
}
