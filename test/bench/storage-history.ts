// Fills a database with samples, and with the roll-ups of years in the order in which a daemon writes them, so that the rows of different
// UPSes are interleaved on disk.
import { metrics } from '../../shared/domain/status/metrics.js';
import type { Database } from '../../workers/storage/database.js';
import { groupOf } from './storage-samples.js';

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

/** Writes a sample of each UPS for every second. */
export async function writeSamples(
  db: Database,
  upsCount: number,
  from: number,
  until: number,
): Promise<void> {
  const values = metrics.map((_, metric) => `10000 + abs(ts * 7919 + ups * 31 + ${String(metric)}) % 2000`);
  for (let ups = 1; ups <= upsCount; ups += 1) {
    await db.run('INSERT INTO ups (key, group_id) VALUES (?, ?)', ups, groupOf(ups));
    await db.run(
      `WITH RECURSIVE time (ups, ts) AS (SELECT ?1, ?2 UNION ALL SELECT ups, ts + 1 FROM time WHERE ts + 1 < ?3)
       INSERT INTO samples SELECT ups, ts * 1000 + ups, ${values.join(', ')} FROM time`,
      ups,
      from,
      until,
    );
  }
}
