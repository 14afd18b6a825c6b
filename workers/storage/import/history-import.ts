// Adds history of other programs (shared/protocol/history-import.ts). It only fills: a bucket with a row of any tier, an event and an outage
// that the history has are left as they are, so that own data wins and a repeated import adds nothing.
import { categoryOf } from '../../../shared/domain/status/events.js';
import { metrics } from '../../../shared/domain/status/metrics.js';
import { sameOutageSeconds } from '../../../shared/domain/outage/outage.js';
import type { ImportBatch, ImportedBucket, ImportResult } from '../../../shared/protocol/history-import.js';
import { importedBucketSeconds } from '../../../shared/protocol/history-import.js';
import type { Database } from '../database.js';
import { hour, wholeTo } from '../rollup.js';
import { keyOf, storedValue } from '../samples.js';

/** Of all UPSes together: a compromised API worker must not fill the disk, nor displace own outages. */
const maxImportedEvents = 200_000;
const maxImportedOutages = 10_000;
/** Two daemons that watch one UPS see the same event some seconds apart. */
const sameEventSeconds = 60;

const emptyBuckets = `
  SELECT value ->> 0 AS number FROM json_each(?2)
  WHERE NOT EXISTS (SELECT 1 FROM samples
      WHERE ups = ?1 AND ts >= (value ->> 1) * 1000 AND ts < (value ->> 2) * 1000)
    AND NOT EXISTS (SELECT 1 FROM recent_samples
      WHERE ups = ?1 AND ts >= (value ->> 1) * 1000 AND ts < (value ->> 2) * 1000)
    ${metrics
      .map(
        (_, metric) => `AND NOT EXISTS (SELECT 1 FROM five_minute
      WHERE ups = ?1 AND metric = ${String(metric)} AND ts >= value ->> 1 AND ts < value ->> 2)
    AND NOT (value ->> 3 AND EXISTS (SELECT 1 FROM hourly
      WHERE ups = ?1 AND metric = ${String(metric)} AND ts = value ->> 1))`,
      )
      .join('\n')}`;

const insertReadings = `INSERT INTO samples (ups, ts, ${metrics.map(({ name }) => name).join(', ')})
  SELECT ?1, value ->> 0, ${metrics.map((_, index) => `value ->> ${String(index + 1)}`).join(', ')} FROM json_each(?2)
  WHERE true ON CONFLICT DO NOTHING`;

const insertMeans = (table: 'five_minute' | 'hourly'): string =>
  `INSERT INTO ${table} (ups, metric, ts, n, total, low, high)
   SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(?2)
   WHERE true ON CONFLICT DO NOTHING`;

/** Rows of this import are equal; own rows of the same kind are the same event seen by this daemon. */
const newEvents = `SELECT key AS number FROM json_each(?2) WHERE NOT EXISTS (SELECT 1 FROM events e
  WHERE e.category = value ->> 1 AND e.source = ?1 AND e.type = value ->> 2
    AND e.ts BETWEEN (value ->> 0) - ${String(sameEventSeconds)} AND (value ->> 0) + ${String(sameEventSeconds)}
    AND (e.run IS NOT NULL OR (e.ts = value ->> 0 AND e.detail = value ->> 3)))`;

const newOutages = `SELECT key AS number FROM json_each(?2) WHERE NOT EXISTS (SELECT 1 FROM outages o
  WHERE o.ups = ?1 AND o.started <= (value ->> 1) + ${String(sameOutageSeconds * 1000)}
    AND (o.ended IS NULL OR o.ended >= (value ->> 0) - ${String(sameOutageSeconds * 1000)}))`;

/** One transaction; with `isDryRun` it only counts. Nothing is added that lies after `nowSeconds`. */
export function importHistory(db: Database, whole: ImportBatch, nowSeconds: number): Promise<ImportResult> {
  const batch = {
    ...whole,
    buckets: whole.buckets.filter(({ at }) => at <= nowSeconds),
    events: whole.events.filter(({ at }) => at <= nowSeconds),
    outages: whole.outages.filter(({ ended }) => ended <= nowSeconds),
  };
  const given = sizeOf(batch);
  return db.transaction(async () => {
    const known = await db.value('SELECT key AS value FROM ups WHERE group_id = ?', batch.groupId);
    const ups = batch.isDryRun ? Number(known ?? 0) : await keyOf(db, batch.groupId);
    const buckets = await selectItems(db, emptyBuckets, ups, batch.buckets.map(spanOf), batch.buckets);
    if (!batch.isDryRun) await insertBuckets(db, ups, buckets);
    const events = await addEvents(db, batch);
    const outages = await addOutages(db, ups, batch);
    const of = (tier: ImportedBucket['tier']) => buckets.filter((bucket) => bucket.tier === tier);
    return {
      readings: of('raw').reduce((sum, { rows }) => sum + rows.length, 0),
      fiveMinute: of('five_minute').length,
      hourly: of('hourly').length,
      events: events.added,
      outages: outages.added,
      refused: events.refused + outages.refused + sizeOf(whole) - given,
      present: given - buckets.length - events.added - outages.added - events.refused - outages.refused,
    };
  });
}

function sizeOf({ buckets, events, outages }: ImportBatch): number {
  return buckets.length + events.length + outages.length;
}

const spanOf = ({ tier, at }: ImportedBucket, index: number) => [
  index,
  at,
  at + importedBucketSeconds[tier],
  tier === 'hourly' ? 1 : 0,
];

/** Those of `items` whose position `sql` selects from `rows`. */
async function selectItems<T>(
  db: Database,
  sql: string,
  first: number | string,
  rows: readonly unknown[],
  items: readonly T[],
): Promise<readonly T[]> {
  if (items.length === 0) return [];
  const found = await db.all<{ number: number }>(sql, first, JSON.stringify(rows));
  const numbers = new Set(found.map(({ number }) => number));
  return items.filter((_, index) => numbers.has(index));
}

async function insertBuckets(db: Database, ups: number, buckets: readonly ImportedBucket[]): Promise<void> {
  if (buckets.length === 0) return;
  const of = (tier: ImportedBucket['tier']) => buckets.filter((bucket) => bucket.tier === tier);
  const readings = of('raw').flatMap(({ at, rows }) =>
    rows.map(([offset, ...values]) => [
      (at + (offset ?? 0)) * 1000,
      ...values.map((value, metric) => storedValue(value, metric)),
    ]),
  );
  if (readings.length > 0) await db.run(insertReadings, ups, JSON.stringify(readings));
  for (const tier of ['five_minute', 'hourly'] as const) {
    const means = of(tier).flatMap(({ at, rows }) => rows.flatMap((row) => meanOf(at, row as number[])));
    if (means.length > 0) await db.run(insertMeans(tier), ups, JSON.stringify(means));
  }
  await takeBackMarks(db, ups, startOf(of('raw')), startOf(buckets.filter(({ tier }) => tier !== 'hourly')));
}

function startOf(buckets: readonly ImportedBucket[]): number {
  return Math.min(...buckets.map(({ at }) => at), Number.MAX_SAFE_INTEGER);
}

/** The stored form; none where a value is out of range. */
function meanOf(at: number, [metric = 0, readings = 1, mean = 0, low = 0, high = 0]: readonly number[]) {
  const stored = [low, high].map((value) => storedValue(value, metric));
  if (stored.includes(null)) return [];
  const total = Math.round(mean * (metrics[metric]?.scale ?? 1) * readings);
  return [[metric, at, readings, total, ...stored]];
}

/** What lies behind the ends of the roll-ups of this UPS is rolled up again. */
async function takeBackMarks(db: Database, ups: number, readings: number, fine: number): Promise<void> {
  await db.run(
    `UPDATE ups SET five_minute_until = min(five_minute_until, ?2), hourly_until = min(hourly_until, ?3) WHERE key = ?1`,
    ups,
    readings,
    wholeTo(fine, hour),
  );
}

interface Added {
  readonly added: number;
  readonly refused: number;
}

async function addEvents(db: Database, { groupId, source, isDryRun, events }: ImportBatch): Promise<Added> {
  if (events.length === 0) return { added: 0, refused: 0 };
  const rows = events.map(({ at, type, detail }) => [
    at,
    categoryOf(type),
    type,
    `${detail === '' ? '' : `${detail}; `}imported from ${source}`,
  ]);
  const fresh = await selectItems(db, newEvents, groupId, rows, rows);
  const room =
    maxImportedEvents - (await db.number('SELECT count(*) AS value FROM events WHERE run IS NULL'));
  const taken = fresh.slice(0, Math.max(0, room));
  if (!isDryRun && taken.length > 0)
    await db.run(
      `INSERT INTO events (ts, source, category, type, detail)
       SELECT value ->> 0, ?1, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?2)`,
      groupId,
      JSON.stringify(taken),
    );
  return { added: taken.length, refused: fresh.length - taken.length };
}

async function addOutages(db: Database, ups: number, { isDryRun, outages }: ImportBatch): Promise<Added> {
  if (outages.length === 0) return { added: 0, refused: 0 };
  const rows = outages.map((one) => [
    one.started * 1000,
    one.ended * 1000,
    one.endSeen ? 1 : 0,
    one.cause,
    one.interruptions,
    one.lowestCharge,
    one.lowestRuntimeSeconds,
  ]);
  const fresh = await selectItems(db, newOutages, ups, rows, rows);
  const room =
    maxImportedOutages - (await db.number('SELECT count(*) AS value FROM outages WHERE imported = 1'));
  const taken = fresh.slice(0, Math.max(0, room));
  if (!isDryRun && taken.length > 0)
    await db.run(
      `INSERT INTO outages (ups, started, ended, end_seen, cause, interruptions, low_charge, low_runtime, imported)
       SELECT ?1, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, 1
       FROM json_each(?2) WHERE true ON CONFLICT DO NOTHING`,
      ups,
      JSON.stringify(taken),
    );
  return { added: taken.length, refused: fresh.length - taken.length };
}
