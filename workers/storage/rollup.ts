// Rolls samples up into 5-minute rows and these into hourly rows, in small steps so that flushes can run between them.
//
// A bucket is always computed from all its rows, never added to, so that a step may be repeated. A row that was computed
// from more samples than exist now is kept: the retention has deleted its samples, or the clock went back.
import { metrics } from '../../shared/domain/metrics.js';
import type { Database } from './database.js';

/** Seconds. */
export const fiveMinutes = 300;
export const hour = 3600;

/** Samples of a bucket arrive within this time (flush_interval is 10 s); later ones are rolled up again. */
const settleSeconds = 15;
/** One step: two buckets of 50 UPSes with a sample a second take about 50 ms, for which a flush can wait. */
const fiveMinuteStepSeconds = 600;
/** One step: 50 UPSes with all metrics have 40,000 5-minute rows in it. */
const hourlyStepSeconds = 6 * hour;

const keepLarger = `ON CONFLICT DO UPDATE SET n = excluded.n, total = excluded.total, low = excluded.low, high = excluded.high
  WHERE excluded.n >= n`;

/** One pass over the samples for all metrics, UPS by UPS: only then SQLite uses the key for the time range. */
const rollSamples = `
  WITH wide AS MATERIALIZED (
    SELECT s.ups AS ups, s.ts / ${String(fiveMinutes * 1000)} * ${String(fiveMinutes)} AS ts
      ${metrics.map(({ name }) => `, count(${name}) n_${name}, sum(${name}) t_${name}, min(${name}) l_${name}, max(${name}) h_${name}`).join('')}
    FROM ups u CROSS JOIN samples s ON s.ups = u.key AND s.ts >= ?1 * 1000 AND s.ts < ?2 * 1000
    GROUP BY 1, 2
  )
  INSERT INTO five_minute (ups, metric, ts, n, total, low, high)
  SELECT * FROM (
    ${metrics.map(({ name }, number) => `SELECT ups, ${String(number)}, ts, n_${name}, t_${name}, l_${name}, h_${name} FROM wide WHERE n_${name} > 0`).join(' UNION ALL ')}
  ) WHERE true ${keepLarger}`;

const everySeries = `ups u CROSS JOIN (SELECT value AS metric FROM json_each('${JSON.stringify(metrics.map((_, number) => number))}')) m`;

const rollFiveMinutes = `
  INSERT INTO hourly (ups, metric, ts, n, total, low, high)
  SELECT f.ups, f.metric, f.ts / ${String(hour)} * ${String(hour)}, sum(f.n), sum(f.total), min(f.low), max(f.high)
  FROM ${everySeries} CROSS JOIN five_minute f ON f.ups = u.key AND f.metric = m.metric AND f.ts >= ?1 AND f.ts < ?2
  WHERE true GROUP BY 1, 2, 3 ${keepLarger}`;

const firstSample = `SELECT min((SELECT s.ts FROM samples s WHERE s.ups = u.key AND s.ts >= ?1 * 1000 ORDER BY s.ts LIMIT 1)) / 1000 AS value FROM ups u`;
const firstFiveMinutes = `SELECT min((SELECT f.ts FROM five_minute f WHERE f.ups = u.key AND f.metric = m.metric AND f.ts >= ?1 ORDER BY f.ts LIMIT 1)) AS value FROM ${everySeries}`;

/** One step of the roll-up that is behind. Returns true while more is due. */
export async function rollUp(db: Database, nowSeconds: number): Promise<boolean> {
  const settled = nowSeconds - settleSeconds;
  const fine = await advance(db, {
    mark: 'five_minute_until',
    first: firstSample,
    roll: rollSamples,
    bucket: fiveMinutes,
    step: fiveMinuteStepSeconds,
    until: settled,
  });
  if (fine) return true;
  return advance(db, {
    mark: 'hourly_until',
    first: firstFiveMinutes,
    roll: rollFiveMinutes,
    bucket: hour,
    step: hourlyStepSeconds,
    until: Math.min(settled, await markOf(db, 'five_minute_until')),
  });
}

export type Mark = 'five_minute_until' | 'hourly_until' | 'audit_until';

export function markOf(db: Database, name: Mark): Promise<number> {
  return db.number('SELECT value FROM marks WHERE name = ?', name);
}

interface Advance {
  readonly mark: Mark;
  /** The first row at or after ?1 that needs a roll-up. */
  readonly first: string;
  /** Rolls up from ?1 to before ?2. */
  readonly roll: string;
  readonly bucket: number;
  readonly step: number;
  /** Buckets that end after this are not complete yet. */
  readonly until: number;
}

async function advance(db: Database, { mark, first, roll, bucket, step, until }: Advance): Promise<boolean> {
  const end = Math.floor(until / bucket) * bucket;
  const reached = await markOf(db, mark);
  if (reached >= end) return false;
  return db.transaction(async () => {
    const next = await db.value(first, reached);
    const from = typeof next === 'number' ? Math.floor(next / bucket) * bucket : end;
    const to = Math.min(from + step, end);
    if (from < end) await db.run(roll, from, to);
    await db.run('UPDATE marks SET value = ? WHERE name = ?', to, mark);
    return to < end;
  });
}
