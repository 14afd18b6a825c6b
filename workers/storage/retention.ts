// Deletes rows past their retention, in small steps so that flushes can run between them, and releases free space.
import type { EventCategory } from '../../shared/domain/status/events.js';
import { metrics } from '../../shared/domain/status/metrics.js';
import type { Retention } from '../../shared/protocol/storage.js';
import type { Cutoffs } from './cutoffs.js';
import type { Database } from './database.js';
import { hour, wholeTo } from './rollup.js';

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
export async function retain(
  db: Database,
  retention: Retention,
  nowSeconds: number,
  cutoffs: Cutoffs,
): Promise<boolean> {
  const before =
    (tier: string, seconds: number, bucket: number): Cutoff =>
    (oldest) =>
      wholeTo(cutoffs.of(tier, oldest, nowSeconds - graceSeconds - seconds), bucket);
  const { rawHours, fiveMinuteDays, hourlyDays } = retention;
  // Events are rare: by their own times alone, each would be deleted as fast as an hour full of them.
  const eventsBefore = before('events', hourlyDays * day, hour);
  // Whole hours of samples and days of roll-ups: every time, one page of each series is written.
  return (
    (await dropSamples(db, before('samples', rawHours * hour, hour))) ||
    (await dropRollup(db, 'five_minute', before('five_minute', fiveMinuteDays * day, day))) ||
    (await dropRollup(db, 'hourly', before('hourly', hourlyDays * day, day))) ||
    (await dropEvents(db, (oldest) => eventsBefore(Math.min(oldest, cutoffs.last('hourly'))))) ||
    vacuum(db)
  );
}

/** By the oldest row, the time before which rows are deleted. */
type Cutoff = (oldest: number) => number;

interface Oldest {
  readonly ups: number;
  readonly ts: number | null;
  /** The next coarser tier has the rows before; null: there is no coarser one. */
  readonly rolled: number | null;
}

async function dropSamples(db: Database, before: Cutoff): Promise<boolean> {
  const due = await dueOf(
    db,
    `SELECT key AS ups, five_minute_until AS rolled,
       (SELECT ts / 1000 FROM samples s WHERE s.ups = u.key ORDER BY ts LIMIT 1) AS ts FROM ups u`,
    before,
    stepSeconds.samples,
  );
  if (due === undefined) return false;
  await db.run('DELETE FROM samples WHERE ups = ? AND ts < ? * 1000', due.ups, due.to);
  return true;
}

async function dropRollup(db: Database, table: 'five_minute' | 'hourly', before: Cutoff): Promise<boolean> {
  const due = await dueOf(
    db,
    `SELECT key AS ups, ${table === 'five_minute' ? 'hourly_until' : 'NULL'} AS rolled, (SELECT min(ts) FROM (${metrics
      .map(
        (_, number) =>
          `SELECT * FROM (SELECT ts FROM ${table} WHERE ups = u.key AND metric = ${String(number)} ORDER BY ts LIMIT 1)`,
      )
      .join(' UNION ALL ')})) AS ts FROM ups u`,
    before,
    stepSeconds[table],
  );
  if (due === undefined) return false;
  await db.run(
    `DELETE FROM ${table} WHERE ups = ? AND metric IN (${allMetrics}) AND ts < ?`,
    due.ups,
    due.to,
  );
  return true;
}

/** A UPS with rows past their time, and the end of the step. */
async function dueOf(
  db: Database,
  oldestRows: string,
  before: Cutoff,
  step: number,
): Promise<{ readonly ups: number; readonly to: number } | undefined> {
  const rows = await db.all<Oldest>(oldestRows);
  const oldest = Math.min(...rows.map(({ ts }) => ts ?? Infinity));
  if (oldest === Infinity) return undefined;
  const cutoff = before(oldest);
  for (const { ups, ts, rolled } of rows) {
    const end = Math.min(cutoff, rolled ?? cutoff);
    if (ts !== null && ts < end) return { ups, to: Math.min(end, ts + step) };
  }
  return undefined;
}

/** Age alone deletes audit rows; the trigger that protects them reads the mark. */
async function dropEvents(db: Database, before: Cutoff): Promise<boolean> {
  const oldest = await db.value(
    `SELECT min((SELECT ts FROM events WHERE category = value ORDER BY ts LIMIT 1)) AS value
     FROM json_each(?)`,
    JSON.stringify(categories),
  );
  if (typeof oldest !== 'number') return false;
  const cutoff = before(oldest);
  for (const category of categories) {
    const dropped = await db.transaction(async () => {
      await db.run("UPDATE marks SET value = ?1 WHERE name = 'audit_until' AND value < ?1", cutoff);
      return db.run(
        `DELETE FROM events WHERE id IN
           (SELECT id FROM events WHERE category = ? AND ts < ? ORDER BY ts LIMIT ${String(eventsPerStep)})`,
        category,
        cutoff,
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
