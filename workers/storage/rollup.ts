// Rolls samples up into 5-minute rows and these into hourly rows, in small steps so that flushes can run between them.
//
// A bucket is always computed from all its rows, never added to, so that a step may be repeated. A row that was computed
// from more samples than exist now is kept: the retention has deleted its samples, or the clock went back.
import { metrics } from '../../shared/domain/status/metrics.js';
import type { Database } from './database.js';

/** Seconds. */
export const fiveMinutes = 300;
export const hour = 3600;

/** Samples of a bucket arrive within this time (flush_interval is 10 s); later ones are rolled up again. */
const settleSeconds = 15;
/**
 * Half hours and quarters of a day: every time, a page of each series is written. Readers take newer data from the finer
 * tier; a report of now reads all samples that are not rolled up.
 */
const fiveMinuteRun = hour / 2;
const hourlyRun = 6 * hour;
/** One step: the samples of six hours of a UPS, 21,600 with one a second, take about 50 ms, for which a flush can wait. */
const fiveMinuteStep = 6 * hour;
/** One step: 32,000 5-minute rows of a UPS with all metrics. */
const hourlyStep = 10 * 24 * hour;
/** UPSes of one step at most. */
const upsesPerStep = 100;

const keepLarger = `ON CONFLICT DO UPDATE SET n = excluded.n, total = excluded.total, low = excluded.low, high = excluded.high
  WHERE excluded.n >= n AND (excluded.n, excluded.total, excluded.low, excluded.high) <> (n, total, low, high)`;

/** One pass over the samples of a UPS for all metrics. */
const rollSamples = `
  WITH wide AS MATERIALIZED (
    SELECT ts / ${String(fiveMinutes * 1000)} * ${String(fiveMinutes)} AS ts
      ${metrics.map(({ name }) => `, count(${name}) n_${name}, sum(${name}) t_${name}, min(${name}) l_${name}, max(${name}) h_${name}`).join('')}
    FROM samples WHERE ups = ?1 AND ts >= ?2 * 1000 AND ts < ?3 * 1000
    GROUP BY 1
  )
  INSERT INTO five_minute (ups, metric, ts, n, total, low, high)
  SELECT * FROM (
    ${metrics.map(({ name }, number) => `SELECT ?1, ${String(number)}, ts, n_${name}, t_${name}, l_${name}, h_${name} FROM wide WHERE n_${name} > 0`).join(' UNION ALL ')}
  ) WHERE true ${keepLarger}`;

const everyMetric = `(SELECT value AS metric FROM json_each('${JSON.stringify(metrics.map((_, number) => number))}')) m`;

const rollFiveMinutes = `
  INSERT INTO hourly (ups, metric, ts, n, total, low, high)
  SELECT f.ups, f.metric, f.ts / ${String(hour)} * ${String(hour)}, sum(f.n), sum(f.total), min(f.low), max(f.high)
  FROM ${everyMetric} CROSS JOIN five_minute f ON f.ups = ?1 AND f.metric = m.metric AND f.ts >= ?2 AND f.ts < ?3
  WHERE true GROUP BY 1, 2, 3 ${keepLarger}`;

const firstSample = `SELECT ts / 1000 FROM samples WHERE ups = u.key AND ts >= u.five_minute_until * 1000 ORDER BY ts LIMIT 1`;
const firstFiveMinutes = `SELECT min((SELECT f.ts FROM five_minute f WHERE f.ups = u.key AND f.metric = m.metric
  AND f.ts >= u.hourly_until ORDER BY f.ts LIMIT 1)) FROM ${everyMetric}`;

/** One step of what is due: moving samples, then rolling them up. Returns true while more is due. */
export async function rollUp(db: Database, nowSeconds: number): Promise<boolean> {
  const settled = nowSeconds - settleSeconds;
  // A roll-up reads `samples`: all samples before its end must have been moved there, and late ones too.
  return (
    (await moveSamples(db, wholeTo(settled, fiveMinutes))) ||
    (await advance(db, {
      mark: 'five_minute_until',
      until: String(wholeTo(settled, fiveMinuteRun)),
      first: firstSample,
      roll: rollSamples,
      bucket: fiveMinutes,
      step: fiveMinuteStep,
    })) ||
    advance(db, {
      mark: 'hourly_until',
      until: `u.five_minute_until / ${String(hourlyRun)} * ${String(hourlyRun)}`,
      first: firstFiveMinutes,
      roll: rollFiveMinutes,
      bucket: hour,
      step: hourlyStep,
    })
  );
}

/**
 * More than 50 UPSes with a sample a second have between two rounds. A chart reads all of them, in some ms; moving them
 * takes about 150 ms, for which a flush can wait.
 */
const maxRecent = 20_000;

/** Both tables have the same columns in the same order. */
const move = 'INSERT OR IGNORE INTO samples SELECT * FROM recent_samples WHERE ts <= ?1 ORDER BY ups, ts';

/**
 * Moves recent samples to `samples`: all of them when one is before `before` (Unix seconds), the oldest when they are too
 * many. False: there is none before `before`.
 */
export async function moveSamples(db: Database, before: number): Promise<boolean> {
  const oldest = await db.value('SELECT min(ts) AS value FROM recent_samples');
  const last = await db.value(
    `SELECT ts AS value FROM recent_samples ORDER BY ts LIMIT 1 OFFSET ${String(maxRecent)}`,
  );
  if (typeof oldest !== 'number' || (last === null && oldest >= before * 1000)) return false;
  await db.transaction(async () => {
    await db.run(move, last ?? Number.MAX_SAFE_INTEGER);
    if (last === null) await db.run('DELETE FROM recent_samples');
    else await db.run('DELETE FROM recent_samples WHERE ts <= ?', last);
  });
  return true;
}

export function wholeTo(seconds: number, bucket: number): number {
  return Math.floor(seconds / bucket) * bucket;
}

interface Advance {
  /** The column of `ups`: buckets that start before are rolled up. */
  readonly mark: 'five_minute_until' | 'hourly_until';
  /** SQL of a UPS `u`: buckets that start before are complete. */
  readonly until: string;
  /** SQL of a UPS `u`: the first row at or after the mark. */
  readonly first: string;
  /** Rolls up UPS ?1 from ?2 to before ?3. */
  readonly roll: string;
  readonly bucket: number;
  /** Seconds of one step, over all its UPSes. */
  readonly step: number;
}

interface Due {
  readonly ups: number;
  readonly until: number;
  readonly first: number | null;
}

/** UPS by UPS, so that each page is written once however long the time is that is rolled up. */
async function advance(db: Database, { mark, until, first, roll, bucket, step }: Advance): Promise<boolean> {
  const due = await db.all<Due>(
    `SELECT key AS ups, ${until} AS until, (${first}) AS first FROM ups u WHERE ${mark} < ${until} LIMIT ${String(upsesPerStep)}`,
  );
  if (due.length === 0) return false;
  await db.transaction(async () => {
    let left = step;
    for (const one of due) {
      const from = Math.min(one.until, wholeTo(one.first ?? one.until, bucket));
      const to = Math.min(from + left, one.until);
      if (from < to) await db.run(roll, one.ups, from, to);
      await db.run(`UPDATE ups SET ${mark} = ? WHERE key = ?`, to, one.ups);
      left -= to - from;
      if (left === 0) break;
    }
  });
  return true;
}
