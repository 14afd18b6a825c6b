// Reads the history of one metric of one UPS (specification/api-resources.md#history): at most as many points as requested.
// SQLite computes the buckets, never this file.
import * as t from 'io-ts';
import type { MetricName } from '../../../shared/domain/status/metrics.js';
import { metricOf } from '../../../shared/domain/status/metrics.js';
import { finite, orNull } from '../../../shared/domain/base/units.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { Retention } from '../../../shared/protocol/storage.js';
import type { Ask, ReadOptions, ReadPool } from './read-pool.js';
import type { Tier } from './tiers.js';
import { bucketSeconds, horizonOf, nativeSeconds, tierFor } from './tiers.js';

export interface SeriesQuery {
  readonly groupId: string;
  readonly metric: MetricName;
  /** Unix seconds, an integer; null is the hourly horizon. */
  readonly from: number | null;
  /** Unix seconds, an integer; null is now. */
  readonly to: number | null;
  /** 10 to 5000. */
  readonly points: number;
}

export interface SeriesPoint {
  /** Unix seconds of the bucket's start, never before `from`. */
  readonly ts: number;
  readonly value: number;
  readonly min: number;
  readonly max: number;
}

export interface Series {
  readonly from: number;
  readonly to: number;
  readonly tier: Tier;
  readonly stepSeconds: number;
  readonly data: readonly SeriesPoint[];
}

/** The parameters of the query. `begin` and `end`: complete rows of the tier that overlap the window, `end` excluded. */
interface Window {
  readonly ups: number;
  readonly metric: MetricName;
  readonly tier: Tier;
  readonly from: number;
  readonly begin: number;
  readonly end: number;
  /** The end of the roll-ups; newer data is read from the finer tier. */
  readonly fine: number;
  readonly coarse: number;
}

/** Resolves a query at `nowSeconds` (Unix time), without a read: an empty series, and its window. */
export function frameOf(
  { from: asked, to: askedTo }: SeriesQuery,
  retention: Retention,
  nowSeconds: number,
): { readonly series: Series; readonly first: number; readonly last: number } {
  const horizon = horizonOf(nowSeconds, retention);
  const to = askedTo ?? Math.floor(nowSeconds);
  const from = asked ?? Math.min(horizon, to);
  // There is no data outside of this span; including it would only widen the buckets.
  const first = Math.max(from, Math.min(horizon, to));
  const last = Math.max(first, Math.min(to, Math.floor(nowSeconds)));
  const tier = tierFor(first, nowSeconds, retention);
  return { series: { from, to, tier, stepSeconds: nativeSeconds[tier], data: [] }, first, last };
}

/** Reads a series. A UPS without any row has an empty one. `nowSeconds` is Unix time. */
export function readSeries(
  pool: ReadPool,
  query: SeriesQuery,
  retention: Retention,
  nowSeconds: number,
  options: ReadOptions,
): Promise<Outcome<Series>> {
  const { series: frame, first, last } = frameOf(query, retention, nowSeconds);
  const { from, to } = frame;
  const key = JSON.stringify([query, frame.tier, from, to, first, last]);
  const work = async (ask: Ask): Promise<Series> => {
    const given = {
      $group: query.groupId,
      $metric: metricOf(query.metric).number,
      $first: first,
      $end: last + 1,
    };
    const [found] = rows(WindowPosition, await ask(windowSql, given));
    if (found === undefined) return frame;
    const tier = filledTier(frame.tier, found);
    const native = nativeSeconds[tier];
    const series = { ...frame, tier, stepSeconds: native };
    const window: Window = {
      ...found,
      metric: query.metric,
      tier,
      from: first,
      begin: Math.floor(first / native) * native,
      end: last + 1,
    };
    const isShort = (await countOf(ask, window, query.points)) <= query.points;
    const stepSeconds = isShort ? native : bucketSeconds(window.begin, last, query.points, native);
    const data = await (isShort ? rowsOf(ask, window, native) : bucketsOf(ask, window, stepSeconds));
    return { ...series, stepSeconds, data };
  };
  return pool.read(`series ${key}`, work, options);
}

/** Besides, where each tier begins in the window: one index search each. Samples of the last minutes need no search. */
const windowSql = `SELECT key AS ups, five_minute_until AS fine, hourly_until AS coarse,
  (SELECT min(ts) / 1000 FROM samples WHERE ups = key AND ts >= $first * 1000 AND ts < $end * 1000) AS raw,
  ${['five_minute', 'hourly']
    .map(
      (table) =>
        `(SELECT min(ts) FROM ${table} WHERE ups = key AND metric = $metric AND ts >= $first AND ts < $end) AS ${table}`,
    )
    .join(', ')}
  FROM ups WHERE group_id = $group`;
const WindowPosition = t.type({
  ...{ ups: finite, fine: finite, coarse: finite },
  ...{ raw: orNull(finite), five_minute: orNull(finite), hourly: orNull(finite) },
});

/** The coarser tier where it begins earlier: after its retention was raised, `tier` does not reach back so far yet. */
function filledTier(tier: Tier, found: t.TypeOf<typeof WindowPosition>): Tier {
  const begins = { raw: found.raw, '5min': found.five_minute, hourly: found.hourly };
  const isBefore = (coarser: Tier, finer: Tier): boolean =>
    (begins[coarser] ?? Infinity) + nativeSeconds[coarser] < (begins[finer] ?? Infinity);
  const fine = tier === 'raw' && isBefore('5min', 'raw') ? '5min' : tier;
  return fine !== 'hourly' && isBefore('hourly', fine) ? 'hourly' : fine;
}

/** Written some minutes at a time from the second to the first; a view of both would hide the times from the planner. */
const sampleTables = ['samples', 'recent_samples'];

/** The sums of the rows of a window, from `$a` to before `$b`, as SQL: aggregates, and what they are selected from. */
function sumsOf(
  { tier, metric }: Window,
  a: string,
  b: string,
): { readonly sums: string; readonly of: string } {
  const { number } = metricOf(metric);
  const rollup = (table: string, from: string, to: string): string =>
    `SELECT ts, n, total, low, high FROM ${table}
     WHERE ups = $ups AND metric = ${String(number)} AND ts >= ${from} AND ts < ${to}`;
  const samples = (columns: string, from: string): string =>
    sampleTables
      .map(
        (table) =>
          `SELECT ${columns} FROM ${table}
           WHERE ups = $ups AND ts >= ${from} * 1000 AND ts < ${b} * 1000 AND ${metric} IS NOT NULL`,
      )
      .join(' UNION ALL ');
  const raw = (from: string): string =>
    samples(`ts / 1000 AS ts, 1 AS n, ${metric} AS total, ${metric} AS low, ${metric} AS high`, from);
  const sums = 'sum(n), sum(total), min(low), max(high)';
  switch (tier) {
    case 'raw':
      // Without the four columns, which take SQLite half as long again.
      return {
        sums: `count(*), sum(${metric}), min(${metric}), max(${metric})`,
        of: `(${samples(`ts, ${metric}`, a)})`,
      };
    case '5min':
      return {
        sums,
        of: `(${rollup('five_minute', a, `min(${b}, $fine)`)} UNION ALL ${raw(`max(${a}, $fine)`)})`,
      };
    case 'hourly':
      return {
        sums,
        of: `(${[
          rollup('hourly', a, `min(${b}, $coarse)`),
          rollup('five_minute', `max(${a}, $coarse)`, `min(${b}, $fine)`),
          raw(`max(${a}, $fine)`),
        ].join(' UNION ALL ')})`,
      };
  }
}

function bound(window: Window): Record<string, number> {
  const { ups, begin, end, fine, coarse, tier } = window;
  const marks = { raw: {}, '5min': { $fine: fine }, hourly: { $fine: fine, $coarse: coarse } }[tier];
  return { $ups: ups, $begin: begin, $end: end, ...marks };
}

/** The number of rows of the tier in the window, or a number above `points`; rows not rolled up yet count as if they were. */
async function countOf(ask: Ask, window: Window, points: number): Promise<number> {
  const { tier, ups, begin, end, fine, coarse, metric } = window;
  const limited = (tables: readonly string[], where: string): string =>
    `SELECT count(*) AS n FROM (${tables
      .map((table) => `SELECT 1 FROM ${table} WHERE ups = $ups AND ts >= $begin AND ts < $end AND ${where}`)
      .join(' UNION ALL ')} LIMIT $most)`;
  const params = { $ups: ups, $most: points + 1 };
  if (tier === 'raw') {
    const sql = limited(sampleTables, `${metric} IS NOT NULL`);
    return countIn(await ask(sql, { ...params, $begin: begin * 1000, $end: end * 1000 }));
  }
  const [table, mark] = tier === '5min' ? ['five_minute', fine] : ['hourly', coarse];
  const sql = limited([table], `metric = ${String(metricOf(metric).number)}`);
  const rolled = countIn(await ask(sql, { ...params, $begin: begin, $end: Math.min(end, mark) }));
  if (rolled > points || mark >= end) return rolled;
  const fresh = `SELECT count(DISTINCT ts / $native) AS n FROM ${sumsOf(window, '$begin', '$end').of}`;
  const tail = bound({ ...window, begin: Math.max(begin, mark) });
  return rolled + countIn(await ask(fresh, { ...tail, $native: nativeSeconds[tier] }));
}

function countIn(found: readonly unknown[]): number {
  return rows(t.type({ n: finite }), found)[0]?.n ?? 0;
}

/** The rows of the tier, unbucketed. */
async function rowsOf(ask: Ask, window: Window, native: number): Promise<readonly SeriesPoint[]> {
  const { sums, of } = sumsOf(window, '$begin', '$end');
  // Samples are in ms.
  const ts = window.tier === 'raw' ? 'ts / 1000' : 'ts';
  const sql = `SELECT group_concat(point) AS points FROM (
    SELECT json_array(max(${ts} / $native * $native, $from), ${sums}) AS point
    FROM ${of} GROUP BY ${ts} / $native ORDER BY ${ts} / $native)`;
  return pointsOf(await ask(sql, { ...bound(window), $from: window.from, $native: native }), window.metric);
}

/** One index search per bucket, without a sort. */
async function bucketsOf(ask: Ask, window: Window, step: number): Promise<readonly SeriesPoint[]> {
  const { sums, of } = sumsOf(window, 'max(bucket.start, $begin)', 'min(bucket.start + $step, $end)');
  const sql = `WITH RECURSIVE bucket (start) AS (
      SELECT $begin / $step * $step UNION ALL SELECT start + $step FROM bucket WHERE start + $step < $end
    )
    SELECT group_concat(point) AS points FROM (
      SELECT (SELECT json_array(max(bucket.start, $from), ${sums}) FROM ${of} HAVING count(*) > 0) AS point
      FROM bucket)`;
  return pointsOf(await ask(sql, { ...bound(window), $from: window.from, $step: step }), window.metric);
}

/** One text for all points: an object for each row would take longer than the query. */
const Points = t.type({ points: t.union([t.string, t.null]) });
const Sums = t.tuple([finite, finite, finite, finite, finite]);

/** At most some thousand points, without empty buckets. */
function pointsOf(found: readonly unknown[], metric: MetricName): readonly SeriesPoint[] {
  const { scale } = metricOf(metric);
  const [all] = rows(Points, found);
  return rows(Sums, JSON.parse(`[${all?.points ?? ''}]`)).map(([ts, n, total, low, high]) => ({
    ts,
    value: Math.round((total / n / scale) * 1e4) / 1e4,
    min: low / scale,
    max: high / scale,
  }));
}

/** Checks rows of SQLite; a failure is a bug. */
function rows<A>(codec: t.Type<A>, found: unknown): readonly A[] {
  const all = t.readonlyArray(codec);
  if (!all.is(found)) throw new Error('unexpected row of a series');
  return found;
}
