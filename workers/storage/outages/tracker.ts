// Keeps the outages: begins and ends them with the events, counts the samples on battery, writes the evidence. What it keeps
// in memory it reads again from the database, so a restart continues.
import { causeOf, evidenceMarginSeconds } from '../../../shared/domain/outage.js';
import type { ShutdownRecord } from '../../../shared/domain/outage.js';
import type { ChangeRecord, EventRecord, SampleRecord } from '../../../shared/protocol/storage.js';
import type { Database } from '../database.js';
import { keyOf } from '../samples.js';
import { ChangesRing } from './changes-ring.js';
import type { Counted } from './count.js';
import { counted } from './count.js';
import type { NewestOutage } from './course.js';
import { changeBy } from './course.js';
import { writeEvidence } from './evidence.js';

const marginMs = evidenceMarginSeconds * 1000;
/** Evidence is written a minute late. */
const settlingMs = 120_000;
/** A UPS without readings: nobody knows when its power came back. */
const unseenAfterMs = 3_600_000;
/** A UPS that goes on battery every other minute for months. */
const maxOutages = 100_000;
const maxShutdowns = 10_000;

/** An outage whose evidence is not complete yet. Times in Unix ms. */
interface Active extends Counted {
  readonly key: number;
  readonly ups: number;
  readonly groupId: string;
  readonly started: number;
  readonly ended: number | null;
}

export class OutageTracker {
  readonly #ring = new ChangesRing();
  #active: readonly Active[] = [];
  /** Open outages that were on line power a minute ago. */
  #onLine: ReadonlySet<number> = new Set();
  #of: Database | undefined;

  /** Returns the UPSes whose last reading is not here: their next change must be a complete one. */
  recordChanges(changes: readonly ChangeRecord[]): readonly string[] {
    const missing = changes.filter((change) => !this.#ring.add(change)).map(({ groupId }) => groupId);
    return [...new Set(missing)];
  }

  /** Call it after the events are stored; a repeated event changes nothing. */
  async recordEvents(db: Database, events: readonly EventRecord[], nowMs: number): Promise<void> {
    const transfers = events.filter(({ type }) => type === 'ON_BATTERY' || type === 'POWER_RESTORED');
    const isDecided = events.some(({ type }) => type === 'SHUTDOWN_TRIGGERED');
    if (transfers.length === 0 && !isDecided) return;
    if (transfers.length > 0)
      await db.transaction(async () => {
        for (const event of transfers) await apply(db, event);
      });
    for (const { source } of transfers) this.#ring.seal(source);
    await this.#load(db, nowMs);
    // The machine may go down next: what led to the shutdown is written with it.
    if (isDecided) for (const { groupId } of this.#active) this.#ring.seal(groupId);
    await this.#writeEvidence(db);
  }

  /** Counts the samples of outages: lowest values and energy. */
  async countSamples(db: Database, samples: readonly SampleRecord[], nowMs: number): Promise<void> {
    if (this.#of !== db) await this.#load(db, nowMs);
    if (this.#active.length === 0) return;
    const changed = new Set<number>();
    const byUps = new Map(this.#active.map((one) => [one.groupId, one]));
    for (const sample of samples) {
      const before = byUps.get(sample.groupId);
      if (before === undefined) continue;
      const after = { ...before, ...counted(before, before.started, this.#endOf(before), sample) };
      if (after.last === before.last) continue;
      byUps.set(sample.groupId, after);
      changed.add(after.key);
    }
    if (changed.size === 0) return;
    const rows = [...byUps.values()]
      .filter(({ key }) => changed.has(key))
      .map((one) => [one.key, one.last, one.watts, one.lowCharge, one.lowRuntime, one.joules, one.estimated]);
    await db.run(
      `UPDATE outages SET last = row.value ->> 1, watts = row.value ->> 2, low_charge = row.value ->> 3,
         low_runtime = row.value ->> 4, joules = row.value ->> 5, estimated = row.value ->> 6
       FROM json_each(?) AS row WHERE outages.key = row.value ->> 0`,
      JSON.stringify(rows),
    );
    this.#active = this.#active.map((one) => {
      const newest = byUps.get(one.groupId);
      return newest?.key === one.key ? newest : one;
    });
  }

  /** Call it every minute. */
  async maintain(db: Database, nowMs: number): Promise<void> {
    this.#ring.sealAll(nowMs);
    if (this.#of !== db) await this.#load(db, nowMs);
    await this.#writeEvidence(db);
    const open = this.#active.filter(({ ended }) => ended === null);
    const onLine = open.filter(({ groupId }) => this.#ring.isOnLine(groupId) === true);
    const unseen = open.filter(
      ({ key, groupId, last, started }) =>
        (this.#onLine.has(key) && onLine.some((one) => one.key === key)) ||
        (this.#ring.isOnLine(groupId) !== true && nowMs - (last ?? started) > unseenAfterMs),
    );
    this.#onLine = new Set(onLine.map(({ key }) => key));
    for (const { key } of unseen) await db.run(endUnseen, key);
    if (open.length > 0) await dropOldest(db);
    if (this.#active.length > 0) await this.#load(db, nowMs);
  }

  /** Writes the minute under way of every outage. */
  async flush(db: Database, nowMs: number): Promise<void> {
    if (this.#active.length > 0) await this.maintain(db, nowMs);
  }

  /** While an outage is open, samples count only when the last reading does not show line power. */
  #endOf({ groupId, ended }: Active): number {
    return ended ?? (this.#ring.isOnLine(groupId) === false ? Infinity : -Infinity);
  }

  async #load(db: Database, nowMs: number): Promise<void> {
    this.#active = await db.all<Active>(
      `SELECT o.key, o.ups, group_id AS groupId, started, ended, last, watts, low_charge AS lowCharge,
         low_runtime AS lowRuntime, joules, estimated
       FROM outages o JOIN ups u ON u.key = o.ups WHERE (ended IS NULL OR ended > ?) AND imported = 0 ORDER BY o.key`,
      nowMs - marginMs - settlingMs,
    );
    this.#of = db;
  }

  async #writeEvidence(db: Database): Promise<void> {
    const byUps = new Map(this.#active.map(({ ups, groupId }) => [groupId, ups]));
    const found = [...byUps].map(([groupId, ups]) => ({
      ups,
      minutes: this.#active
        .filter((one) => one.groupId === groupId)
        .flatMap(({ started, ended }) =>
          this.#ring.unwritten(groupId, started - marginMs, (ended ?? Infinity) + marginMs),
        )
        .filter((minute, index, all) => all.indexOf(minute) === index),
    }));
    await writeEvidence(db, found);
  }
}

const endUnseen =
  'UPDATE outages SET ended = ifnull(last, started), end_seen = 0 WHERE key = ? AND ended IS NULL';

/** What the clock of a boot and the wall clock may differ by without being set: NTP slews, and both are rounded. */
const slewMs = 2_000;

type StoredNewest = Omit<NewestOutage, 'endSeen'> & {
  readonly key: number;
  readonly endSeen: number;
  readonly boot: string | null;
  readonly bootMs: number | null;
};

async function apply(db: Database, event: EventRecord): Promise<void> {
  const atMs = Math.floor(event.at * 1000);
  const ups = await keyOf(db, event.source);
  const [row] = await db.all<StoredNewest>(
    `SELECT key, started, ended, end_seen AS endSeen, last, boot, boot_ms AS bootMs FROM outages
     WHERE ups = ? AND imported = 0 ORDER BY key DESC LIMIT 1`,
    ups,
  );
  const known = await db.value(
    'SELECT key AS value FROM outages WHERE ups = ?1 AND (started = ?2 OR dated = ?2)',
    ups,
    atMs,
  );
  const newest = row === undefined ? undefined : { ...row, endSeen: row.endSeen === 1 };
  const lengthMs = row === undefined ? null : sinceBegin(row, event);
  // In the boot of its begin the wall clock may have been set by any time since.
  const at = row === undefined || lengthMs === null ? event.at : (row.started + lengthMs) / 1000;
  const change = changeBy({ type: event.type, at }, newest, known !== null);
  const key = row?.key ?? 0;
  if (change.kind === 'end') {
    await db.run('UPDATE outages SET ended = ?, end_seen = 1 WHERE key = ?', atMs, key);
    if (lengthMs !== null && Math.abs(at * 1000 - atMs) > slewMs)
      await db.run(
        'UPDATE OR IGNORE outages SET started = ?, dated = ifnull(dated, started) WHERE key = ?',
        atMs - lengthMs,
        key,
      );
  }
  if (change.kind === 'resume')
    await db.run(
      `UPDATE outages SET ended = NULL, end_seen = 0, interruptions = interruptions + 1, last = ?, watts = NULL
       WHERE key = ?`,
      atMs,
      key,
    );
  if (change.kind === 'beginAfterUnseenEnd') await db.run(endUnseen, key);
  if (change.kind === 'begin' || change.kind === 'beginAfterUnseenEnd')
    await db.run(
      'INSERT INTO outages (ups, cause, started, boot, boot_ms) VALUES (?, ?, ?, ?, ?)',
      ups,
      causeOf(event.detail),
      atMs,
      event.boot?.id ?? null,
      event.boot === undefined ? null : Math.floor(event.boot.ms),
    );
}

/** The time since the begin of the outage by the clock of its boot; null in another boot. */
function sinceBegin({ boot, bootMs }: StoredNewest, event: EventRecord): number | null {
  if (bootMs === null || event.boot === undefined || boot !== event.boot.id) return null;
  return Math.max(0, Math.floor(event.boot.ms) - bootMs);
}

/** Stores a shutdown, or its progress. */
export async function saveShutdown(db: Database, shutdown: ShutdownRecord): Promise<Record<string, never>> {
  await db.run(
    `INSERT INTO outage_shutdowns (started, group_id, body) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET body = excluded.body`,
    Math.floor(shutdown.startedAt * 1000),
    shutdown.group,
    JSON.stringify(shutdown),
  );
  return {};
}

async function dropOldest(db: Database): Promise<void> {
  await db.run(`DELETE FROM outages WHERE key <= (SELECT max(key) FROM outages) - ${String(maxOutages)}`);
  await db.run(
    `DELETE FROM outage_shutdowns WHERE rowid <= (SELECT max(rowid) FROM outage_shutdowns) - ${String(maxShutdowns)}`,
  );
}
