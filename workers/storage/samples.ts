// Writes samples: a flush is one transaction with one statement, whatever the number of rows. It goes into the table in
// the order of time; the roll-up moves it to the one clustered by UPS.
import { metrics } from '../../shared/domain/status/metrics.js';
import type { SampleRecord } from '../../shared/protocol/storage.js';
import type { Database } from './database.js';
import { fiveMinutes, hour } from './rollup.js';

/** Larger than any quantity of a UPS, and small enough that sums over an hour stay exact. */
const maxStored = 2 ** 40;

const columns = metrics.map(({ name }) => name).join(', ');
const picked = metrics.map((_, index) => `value ->> ${String(index + 2)}`).join(', ');
const insert = `INSERT OR IGNORE INTO recent_samples (ups, ts, ${columns})
  SELECT value ->> 0, value ->> 1, ${picked} FROM json_each(?)`;

/** Writes samples of any UPSes and times; an existing sample of the same UPS and ms is skipped. */
export class SampleWriter {
  /** Cached keys of the UPSes by groupId; of one database only. */
  #keys = new Map<string, number>();
  #of: Database | undefined;

  /** Returns how many rows are new. Samples without a single value are not stored. */
  async append(db: Database, samples: readonly SampleRecord[]): Promise<number> {
    const kept = samples.filter(hasValue);
    if (kept.length === 0) return 0;
    if (this.#of !== db) this.#keys = new Map();
    this.#of = db;
    const found = new Map<string, number>();
    const stored = await db.transaction(async () => {
      for (const { groupId } of kept)
        if (!this.#keys.has(groupId) && !found.has(groupId)) found.set(groupId, await keyOf(db, groupId));
      const rows = kept.map((sample) => rowOf(sample, (id) => this.#keys.get(id) ?? found.get(id)));
      const changes = await db.run(insert, JSON.stringify(rows));
      await takeBackMarks(db, Math.min(...kept.map(({ at }) => at)));
      return changes;
    });
    // After the commit: a key that was rolled back does not exist.
    for (const [groupId, key] of found) this.#keys.set(groupId, key);
    return stored;
  }
}

/** Only such samples are stored. */
export function hasValue({ values }: SampleRecord): boolean {
  return values.some((value) => value !== null);
}

/** The key of a UPS, created when it is first needed. */
export async function keyOf(db: Database, groupId: string): Promise<number> {
  await db.run('INSERT OR IGNORE INTO ups (group_id) VALUES (?)', groupId);
  return db.number('SELECT key AS value FROM ups WHERE group_id = ?', groupId);
}

function rowOf(
  sample: SampleRecord,
  keyOf: (groupId: string) => number | undefined,
): readonly (number | null | undefined)[] {
  const stored = sample.values.map(storedValue);
  return [keyOf(sample.groupId), Math.floor(sample.at * 1000), ...stored];
}

/** A value of a metric as the database has it; null when it is missing or out of range. */
export function storedValue(value: number | null, metric: number): number | null {
  const scaled = value === null ? null : Math.round(value * (metrics[metric]?.scale ?? 1));
  return scaled === null || Math.abs(scaled) > maxStored ? null : scaled;
}

/** Resets the ends of the roll-ups for late samples (after a full disk or a clock set back), so that they are rolled up. */
async function takeBackMarks(db: Database, oldestAt: number): Promise<void> {
  await db.run(
    `UPDATE ups SET five_minute_until = ?1, hourly_until = min(hourly_until, ?2) WHERE five_minute_until > ?1`,
    Math.floor(oldestAt / fiveMinutes) * fiveMinutes,
    Math.floor(oldestAt / hour) * hour,
  );
}
