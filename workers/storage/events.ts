// Writes and deletes events. Every change is one durable transaction; a repeated one changes nothing.
import type { EventType } from '../../shared/domain/status/events.js';
import { categoryOf } from '../../shared/domain/status/events.js';
import type { Deletion, EventRecord } from '../../shared/protocol/storage.js';
import type { Database } from './database.js';

/** Whether an event of this type is stored while `statistics.enabled` is false. */
export function keptWithoutStatistics(type: EventType): boolean {
  const category = categoryOf(type);
  return category === 'audit' || category === 'shutdown' || type.startsWith('REMOTE_HEALTH_');
}

export interface NewEvent {
  /** Unix seconds; the row has integer seconds. */
  readonly at: number;
  readonly source: string;
  readonly type: EventType;
  readonly detail: string;
}

/** Call it in a transaction. Returns the id. */
export async function insertEvent(db: Database, event: NewEvent): Promise<number> {
  return db.number(
    'INSERT INTO events (ts, source, category, type, detail) VALUES (?, ?, ?, ?, ?) RETURNING id AS value',
    Math.floor(event.at),
    event.source,
    categoryOf(event.type),
    event.type,
    event.detail,
  );
}

const insertNew = `INSERT INTO events (ts, source, category, type, detail, boot_ms, run, seq)
  SELECT value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, ?2, value ->> 0
  FROM json_each(?1) WHERE value ->> 0 > (SELECT last_seq FROM runs WHERE key = ?2) ORDER BY value ->> 0`;

const idsOf = `SELECT seq, id FROM events WHERE run = ? AND seq IN (SELECT value FROM json_each(?))`;

/**
 * Stores the new events of a run, in the order of their numbers. The highest stored number of the run identifies the stored
 * ones, so that a deleted event stays deleted.
 */
export async function appendEvents(
  db: Database,
  run: string,
  events: readonly EventRecord[],
): Promise<readonly { readonly seq: number; readonly id: number | null }[]> {
  if (events.length === 0) return [];
  const rows = events.map(({ seq, at, source, type, detail, boot }) => [
    seq,
    Math.floor(at),
    source,
    categoryOf(type),
    type,
    detail,
    boot === undefined ? null : Math.round(boot.ms),
  ]);
  const seqs = events.map(({ seq }) => seq);
  return db.transaction(async () => {
    const key = await runKey(db, run);
    await db.run(insertNew, JSON.stringify(rows), key);
    await db.run('UPDATE runs SET last_seq = max(last_seq, ?) WHERE key = ?', Math.max(...seqs), key);
    const found = await db.all<{ seq: number; id: number }>(idsOf, key, JSON.stringify(seqs));
    const ids = new Map(found.map(({ seq, id }) => [seq, id]));
    return seqs.map((seq) => ({ seq, id: ids.get(seq) ?? null }));
  });
}

/** The key of a run, created when it is first needed. Call it in a transaction. */
export async function runKey(db: Database, run: string): Promise<number> {
  await db.run('INSERT OR IGNORE INTO runs (run) VALUES (?)', run);
  return db.number('SELECT key AS value FROM runs WHERE run = ?', run);
}

export interface DeletionOrder {
  readonly source: string;
  readonly items: readonly Deletion[];
  /** The principal, as in audit rows. */
  readonly principal: string;
  readonly at: number;
}

export interface Deleted {
  readonly deleted: number;
  readonly type: EventType;
  readonly id: number;
  readonly ts: number;
  readonly detail: string;
}

const deleteMatching = `DELETE FROM events WHERE source = ?1 AND category <> 'audit' AND (id, ts, type) IN
  (SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?2))`;

/** Deletes rows that match in all three fields and are no audit rows. Records the deletion, also when nothing matched. */
export function deleteEvents(db: Database, order: DeletionOrder): Promise<Deleted> {
  const items = order.items.map(({ id, ts, eventType }) => [id, ts, eventType]);
  return db.transaction(async () => {
    const deleted = await db.run(deleteMatching, order.source, JSON.stringify(items));
    const detail = `${order.principal}: delete events: ${String(deleted)} rows`;
    const type = deleted > 0 ? 'EVENTS_DELETED' : 'EVENTS_DELETE_FAILED';
    const id = await insertEvent(db, { at: order.at, source: order.source, type, detail });
    return { deleted, type, id, ts: Math.floor(order.at), detail };
  });
}
