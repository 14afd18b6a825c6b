// Deletes rows past their retention, in small steps so that flushes can run between them, and releases free space.
import type { EventCategory } from '../../shared/domain/events.js';
import { metrics } from '../../shared/domain/metrics.js';
import type { Retention } from '../../shared/protocol/storage.js';
import type { Database } from './database.js';
import { fiveMinutes, hour, markOf } from './rollup.js';

/**
 * Rows are kept longer than the retention by this: a chart of "the last 24 hours" is requested some seconds after its
 * start, and clocks differ. Readers rely on it (workers/api/history/tiers.ts).
 */
const graceSeconds = 600;
const day = 86_400;
/** One step per UPS: an hour of samples, a week of 5-minute rows or a year of hourly rows, some thousand rows each. */
const stepSeconds = { samples: hour, five_minute: 7 * day, hourly: 365 * day } as const;
const eventsPerStep = 2000;
/** Free pages kept for new rows, so that the file does not shrink and grow with every flush: an eighth, at least 8 MiB. */
const minFreePages = 1024;
const freeShare = 8;
const pagesPerStep = 256;

const categories: readonly EventCategory[] = ['power_event', 'shutdown', 'diagnostics', 'audit', 'lifecycle'];
const allMetrics = metrics.map((_, number) => String(number)).join(', ');

/** One step. Returns true while more is due. */
export async function retain(db: Database, retention: Retention, nowSeconds: number): Promise<boolean> {
  const before = (seconds: number): number => Math.floor(nowSeconds - graceSeconds - seconds);
  const rolled = { fine: await markOf(db, 'five_minute_until'), coarse: await markOf(db, 'hourly_until') };
  // Complete buckets only, and none that the next coarser tier does not have yet.
  const raw = Math.min(wholeTo(before(retention.rawHours * hour), fiveMinutes), rolled.fine);
  if (await dropSamples(db, raw * 1000)) return true;
  const fine = Math.min(wholeTo(before(retention.fiveMinuteDays * day), hour), rolled.coarse);
  if (await dropRollup(db, 'five_minute', fine)) return true;
  const horizon = wholeTo(before(retention.hourlyDays * day), hour);
  if (await dropRollup(db, 'hourly', horizon)) return true;
  if (await dropEvents(db, horizon)) return true;
  return vacuum(db);
}

function wholeTo(seconds: number, bucket: number): number {
  return Math.floor(seconds / bucket) * bucket;
}

interface Oldest {
  readonly ups: number;
  readonly ts: number | null;
}

async function dropSamples(db: Database, beforeMs: number): Promise<boolean> {
  const rows = await db.all<Oldest>(
    'SELECT key AS ups, (SELECT ts FROM samples s WHERE s.ups = u.key ORDER BY ts LIMIT 1) AS ts FROM ups u',
  );
  const due = rows.find(({ ts }) => ts !== null && ts < beforeMs);
  if (due?.ts === undefined || due.ts === null) return false;
  const to = Math.min(beforeMs, due.ts + stepSeconds.samples * 1000);
  await db.run('DELETE FROM samples WHERE ups = ? AND ts < ?', due.ups, to);
  return true;
}

async function dropRollup(db: Database, table: 'five_minute' | 'hourly', before: number): Promise<boolean> {
  const rows = await db.all<Oldest>(
    `SELECT key AS ups, (SELECT min(ts) FROM (${metrics
      .map(
        (_, number) =>
          `SELECT * FROM (SELECT ts FROM ${table} WHERE ups = u.key AND metric = ${String(number)} ORDER BY ts LIMIT 1)`,
      )
      .join(' UNION ALL ')})) AS ts FROM ups u`,
  );
  const due = rows.find(({ ts }) => ts !== null && ts < before);
  if (due?.ts === undefined || due.ts === null) return false;
  const to = Math.min(before, due.ts + stepSeconds[table]);
  await db.run(`DELETE FROM ${table} WHERE ups = ? AND metric IN (${allMetrics}) AND ts < ?`, due.ups, to);
  return true;
}

/** Age alone deletes audit rows; the trigger that protects them reads the mark. */
async function dropEvents(db: Database, before: number): Promise<boolean> {
  for (const category of categories) {
    const dropped = await db.transaction(async () => {
      await db.run("UPDATE marks SET value = ?1 WHERE name = 'audit_until' AND value < ?1", before);
      return db.run(
        `DELETE FROM events WHERE id IN
           (SELECT id FROM events WHERE category = ? AND ts < ? ORDER BY ts LIMIT ${String(eventsPerStep)})`,
        category,
        before,
      );
    });
    if (dropped > 0) return true;
  }
  return false;
}

async function vacuum(db: Database): Promise<boolean> {
  const free = await db.number('SELECT freelist_count AS value FROM pragma_freelist_count');
  const pages = await db.number('SELECT page_count AS value FROM pragma_page_count');
  const spare = free - Math.max(minFreePages, Math.floor(pages / freeShare));
  if (spare <= 0) return false;
  await db.exec(`PRAGMA incremental_vacuum(${String(Math.min(spare, pagesPerStep))})`);
  return true;
}
