// Keeps the outages: begins and ends them with the events, counts the samples on battery, writes the evidence. What it keeps
// in memory it reads again from the database, so a restart continues.
import { causeOf, evidenceMarginSeconds } from '../../../shared/domain/outage/outage.js';
import type { ShutdownRecord } from '../../../shared/domain/outage/outage.js';
import type { ChangeRecord, EventRecord, SampleRecord } from '../../../shared/protocol/storage.js';
import type { BootMoment } from '../boots.js';
import type { Database } from '../database.js';
import { keyOf } from '../samples.js';
import { ChangesRing } from './changes-ring.js';
import type { DatedOutage } from './clocks.js';
import { datedAt, momentIn } from './clocks.js';
import type { SampleCounts } from './count.js';
import { addToCounts } from './count.js';
import type { NewestOutage, CourseChange } from './course.js';
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
interface Active extends SampleCounts, DatedOutage {
  readonly key: number;
  readonly ups: number;
  readonly groupId: string;
  readonly last: number | null;
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

  /** Counts the samples of outages: lowest values and energy. `bootId`: of the samples that have the time since their boot. */
  async countSamples(
    db: Database,
    samples: readonly SampleRecord[],
    nowMs: number,
    bootId?: string,
  ): Promise<void> {
    if (this.#of !== db) await this.#load(db, nowMs);
    if (this.#active.length === 0) return;
    const changed = new Set<number>();
    const byUps = new Map(this.#active.map((outage) => [outage.groupId, outage]));
    for (const sample of samples) {
      const before = byUps.get(sample.groupId);
      if (before === undefined) continue;
      const moment = momentOf(sample, bootId);
      // The clock may have been set since the sample before.
      const goesOn = before.ended === null && before.boot === moment.boot?.id;
      const dated = goesOn ? datedAt(before, moment) : before;
      const atMs = momentIn(dated, moment);
      const after = {
        ...dated,
        ...addToCounts(dated, dated.started, this.#endOf(dated), { ...sample, atMs }),
      };
      if (after.last === before.last && after.started === before.started) continue;
      byUps.set(sample.groupId, after);
      changed.add(after.key);
    }
    if (changed.size === 0) return;
    const rows = [...byUps.values()]
      .filter(({ key }) => changed.has(key))
      .map((outage) => [
        ...[
          outage.key,
          outage.last,
          outage.watts,
          outage.lowCharge,
          outage.lowRuntime,
          outage.joules,
          outage.estimated,
        ],
        ...[outage.started, outage.dated],
      ]);
    await db.run(
      `UPDATE OR IGNORE outages SET last = row.value ->> 1, watts = row.value ->> 2, low_charge = row.value ->> 3,
         low_runtime = row.value ->> 4, joules = row.value ->> 5, estimated = row.value ->> 6,
         started = row.value ->> 7, dated = row.value ->> 8
       FROM json_each(?) AS row WHERE outages.key = row.value ->> 0`,
      JSON.stringify(rows),
    );
    this.#active = this.#active.map((outage) => {
      const newest = byUps.get(outage.groupId);
      return newest?.key === outage.key ? newest : outage;
    });
  }

  /** Call it every minute. `boot`: this moment by the clock of the boot. */
  async maintain(db: Database, nowMs: number, boot?: BootMoment['boot']): Promise<void> {
    this.#ring.sealAll(nowMs);
    if (this.#of !== db) await this.#load(db, nowMs);
    await this.#redate(db, { at: nowMs / 1000, ...(boot && { boot }) });
    await this.#writeEvidence(db);
    const open = this.#active.filter(({ ended }) => ended === null);
    const onLine = open.filter(({ groupId }) => this.#ring.isOnLine(groupId) === true);
    const unseen = open.filter(
      ({ key, groupId, last, started }) =>
        (this.#onLine.has(key) && onLine.some((outage) => outage.key === key)) ||
        (this.#ring.isOnLine(groupId) !== true && nowMs - (last ?? started) > unseenAfterMs),
    );
    this.#onLine = new Set(onLine.map(({ key }) => key));
    for (const { key } of unseen) await db.run(endUnseen, key);
    if (open.length > 0) await dropOldest(db);
    if (this.#active.length > 0) await this.#load(db, nowMs);
  }

  /** The clock may have been set since the last sample, which is then no hour ago. */
  async #redate(db: Database, moment: BootMoment): Promise<void> {
    const dated = this.#active.map((outage) =>
      outage.ended === null && outage.boot === moment.boot?.id ? datedAt(outage, moment) : outage,
    );
    for (const [index, one] of dated.entries())
      if (one !== this.#active[index]) await saveDates(db, one.key, one);
    this.#active = dated;
  }

  /** Writes the minute under way of every outage. */
  async flush(db: Database, nowMs: number, boot?: BootMoment['boot']): Promise<void> {
    if (this.#active.length > 0) await this.maintain(db, nowMs, boot);
  }

  /** While an outage is open, samples count only when the last reading does not show line power. */
  #endOf({ groupId, ended }: Active): number {
    return ended ?? (this.#ring.isOnLine(groupId) === false ? Infinity : -Infinity);
  }

  async #load(db: Database, nowMs: number): Promise<void> {
    this.#active = await db.all<Active>(
      `SELECT o.key, o.ups, group_id AS groupId, ${clockColumns}, watts, low_charge AS lowCharge,
         low_runtime AS lowRuntime, joules, estimated
       FROM outages o JOIN ups u ON u.key = o.ups
       WHERE (ended IS NULL OR ended BETWEEN ?1 - ?2 AND ?1 + ?2) AND imported = 0 ORDER BY o.key`,
      nowMs,
      marginMs + settlingMs,
    );
    this.#of = db;
  }

  async #writeEvidence(db: Database): Promise<void> {
    const byUps = new Map(this.#active.map(({ ups, groupId }) => [groupId, ups]));
    const found = [...byUps].map(([groupId, ups]) => ({
      ups,
      minutes: this.#ring.unwritten(
        groupId,
        ...this.#active
          .filter((outage) => outage.groupId === groupId)
          .flatMap(({ started, ended, dated }) => [
            [started - marginMs, (ended ?? Infinity) + marginMs] as const,
            // Of before the clock was set.
            ...(dated === null ? [] : [[dated - marginMs, dated + (ended ?? Infinity) - started] as const]),
          ]),
      ),
    }));
    await writeEvidence(db, found);
  }
}

const endUnseen =
  'UPDATE outages SET ended = ifnull(last, started), end_seen = 0 WHERE key = ? AND ended IS NULL';

const clockColumns = 'started, ended, last, dated, boot, boot_ms AS bootMs, former_boots AS formerBoots';

type StoredNewest = DatedOutage & { readonly key: number; readonly endSeen: number };

async function apply(db: Database, event: EventRecord): Promise<void> {
  const atMs = Math.floor(event.at * 1000);
  const ups = await keyOf(db, event.source);
  const [row] = await db.all<StoredNewest>(
    `SELECT key, end_seen AS endSeen, ${clockColumns} FROM outages
     WHERE ups = ? AND imported = 0 ORDER BY key DESC LIMIT 1`,
    ups,
  );
  const known = await db.value(
    'SELECT key AS value FROM outages WHERE ups = ?1 AND (started = ?2 OR dated = ?2)',
    ups,
    atMs,
  );
  const newest = row === undefined ? undefined : newestAt(row, event);
  const change = changeBy(event, newest, known !== null);
  const key = row?.key ?? 0;
  if (newest !== undefined && goesOn(change, newest, known !== null)) await saveDates(db, key, newest);
  if (change.kind === 'end')
    await db.run('UPDATE outages SET ended = ?, end_seen = 1 WHERE key = ?', atMs, key);
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

/** One whose end was seen does not go on over a boot. */
function newestAt(row: StoredNewest, event: EventRecord): DatedOutage & NewestOutage {
  const isOver = row.endSeen === 1 && row.boot !== event.boot?.id;
  return { ...(isOver ? row : datedAt(row, event)), endSeen: row.endSeen === 1 };
}

/** The event is about this outage. A repeated one is not new. */
function goesOn({ kind }: CourseChange, { ended }: DatedOutage, isKnown: boolean): boolean {
  return kind === 'end' || kind === 'resume' || (kind === 'none' && ended === null && !isKnown);
}

async function saveDates(db: Database, key: number, outage: DatedOutage): Promise<void> {
  const { started, dated, last, boot, bootMs, formerBoots } = outage;
  await db.run(
    `UPDATE OR IGNORE outages SET started = ?2, dated = ?3, last = ?4, boot_ms = ?6, former_boots = ?7,
       watts = iif(boot IS ?5, watts, NULL), boot = ?5
     WHERE key = ?1`,
    ...[key, started, dated, last, boot, bootMs, formerBoots],
  );
}

/** A sample by both clocks. */
export function momentOf({ at, bootMs }: SampleRecord, bootId: string | undefined): BootMoment {
  return bootMs === undefined || bootId === undefined ? { at } : { at, boot: { id: bootId, ms: bootMs } };
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
