// Fills a database with the roll-ups of years in the order in which a daemon writes them, so that the rows of different
// UPSes are interleaved on disk.
import { metrics } from '../../shared/domain/metrics.js';
import type { Database } from '../../workers/storage/database.js';

export interface HistorySpan {
  readonly table: 'five_minute' | 'hourly';
  readonly bucketSeconds: number;
  /** Unix seconds, multiples of the bucket; `until` excluded. */
  readonly from: number;
  readonly until: number;
}

/** Buckets per transaction: some ten thousand rows. */
const bucketsAtOnce = 24;

/** Returns how many buckets (one per UPS and time) were written; each has a row per metric. */
export async function writeHistory(db: Database, upsCount: number, span: HistorySpan): Promise<number> {
  const { table, bucketSeconds, from, until } = span;
  const sql = `INSERT INTO ${table} (ups, metric, ts, n, total, low, high)
    WITH RECURSIVE time (ts) AS (SELECT ?1 UNION ALL SELECT ts + ?3 FROM time WHERE ts + ?3 < ?2),
      series (ups, metric) AS (SELECT u.key, m.value FROM ups u, json_each('${JSON.stringify(metrics.map((_, number) => number))}') m)
    SELECT ups, metric, ts, ?3, ?3 * (5000 + abs(ts * 7919 + ups * 31 + metric) % 20000),
      4000 + abs(ts * 104729 + ups) % 1000, 25000 + abs(ts * 1299709 + metric) % 3000
    FROM time CROSS JOIN series ORDER BY ts, ups, metric`;
  for (let at = from; at < until; at += bucketsAtOnce * bucketSeconds)
    await db.run(sql, at, Math.min(at + bucketsAtOnce * bucketSeconds, until), bucketSeconds);
  return ((until - from) / bucketSeconds) * upsCount;
}
