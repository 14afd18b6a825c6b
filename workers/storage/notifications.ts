// The durable queue of notifications: a row for each message and a row for each of its deliveries. Every write is one
// durable transaction, and a repeated one changes nothing.
import { truncate } from '../../shared/domain/base/truncate.js';
import type { Notification } from '../../shared/domain/services/notification.js';
import { maxTextLength } from '../../shared/domain/services/notification.js';
import { inDoubtSql } from '../../shared/protocol/boot-clocks.js';
import type { Outcome } from '../../shared/protocol/contract.js';
import type { NotificationRecord, notificationRequests } from '../../shared/protocol/notification-records.js';
import { maxRecordsPerRequest } from '../../shared/protocol/notification-records.js';
import type { Answer, Params } from '../../shared/protocol/contract.js';
import type { NotificationRetention } from '../../shared/protocol/storage.js';
import type { Cutoffs } from './cutoffs.js';
import type { Database } from './database.js';
import type { Store } from './store.js';

type Requests = typeof notificationRequests;
type Name = keyof Requests;
type Answers = {
  [N in Name]: (params: Params<Requests, N>) => Promise<Outcome<Answer<Requests, N>>>;
};

/** The request handlers of the storage worker; they call `store` each time, since its directory may change. */
export function notificationAnswers(store: () => Store): Answers {
  return {
    'notifications.record': ({ records }) => store().perform((db) => recordNotifications(db, records)),
    'notifications.recall': ({ after, bootId }) =>
      store().perform((db) => loadNotifications(db, after, bootId)),
  };
}

const insertNew = `INSERT INTO notifications (id, at, source, type, text, urgent, html)
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6 FROM json_each(?)
  WHERE true ON CONFLICT (id) DO NOTHING`;

const upsertDeliveries = `INSERT INTO deliveries (notification, service, state, reason, attempts, at)
  SELECT n.key, j.value ->> 1, j.value ->> 2, j.value ->> 3, j.value ->> 4, j.value ->> 5
  FROM json_each(?) j JOIN notifications n ON n.id = j.value ->> 0
  WHERE true ON CONFLICT (notification, service) DO UPDATE
  SET state = excluded.state, reason = excluded.reason, attempts = max(attempts, excluded.attempts), at = excluded.at
  WHERE deliveries.state = 'pending'`;

export function recordNotifications(db: Database, records: readonly NotificationRecord[]): Promise<object> {
  return db.transaction(() => insertNotifications(db, records));
}

/** Call it in a transaction. */
export async function insertNotifications(
  db: Database,
  records: readonly NotificationRecord[],
): Promise<object> {
  if (records.length === 0) return {};
  const messages = records.flatMap(({ notification: n }) =>
    n === null ? [] : [[n.id, n.at, n.source, n.type, n.text, n.urgent ? 1 : 0, n.html ?? null]],
  );
  const deliveries = records.flatMap((record) =>
    record.deliveries.map((one) => [record.id, one.service, one.state, one.reason, one.attempts, one.at]),
  );
  await db.run(insertNew, JSON.stringify(messages));
  await db.run(upsertDeliveries, JSON.stringify(deliveries));
  return {};
}

interface WaitingRow extends Omit<Notification, 'urgent' | 'html'> {
  readonly key: number;
  readonly html: string | null;
  readonly urgent: number;
  readonly isOfThisBoot: number;
  readonly isDateInDoubt: number;
  readonly waiting: string;
}

/** The limit is in the subquery, so that only one page of a long queue is read. */
const page = `SELECT n.key, n.id, n.at, n.source, n.type, n.text, n.urgent, n.html,
    EXISTS (SELECT 1 FROM runs r WHERE r.boot_id = ?2 AND instr(n.id, r.run || '-') > 0) AS isOfThisBoot,
    ${inDoubtSql('?2')} OR EXISTS (SELECT 1 FROM runs r WHERE instr(n.id, r.run || '-') > 0 AND ${inDoubtSql('r.boot_id')})
      AS isDateInDoubt,
    (SELECT json_group_array(json_object('service', d.service, 'attempts', d.attempts)) FROM deliveries d
     WHERE d.notification = n.key AND d.state = 'pending') AS waiting
  FROM notifications n
  WHERE n.key IN (SELECT DISTINCT notification FROM deliveries WHERE state = 'pending' AND notification > ?1
                  ORDER BY notification LIMIT ${String(maxRecordsPerRequest)})
  ORDER BY n.key`;

/** Pages of messages beyond this would make the frame too long: then the text alone is sent. */
const maxHtmlOfPage = 1_000_000;

/** One page of pending messages, oldest first. */
export async function loadNotifications(
  db: Database,
  after: number,
  bootId: string,
): Promise<Answer<Requests, 'notifications.recall'>> {
  const rows = await db.all<WaitingRow>(page, after, bootId);
  let htmlLength = 0;
  return {
    tasks: rows.map(
      ({ key: _, urgent, waiting, text, html, isOfThisBoot, isDateInDoubt, ...notification }) => {
        htmlLength += html?.length ?? 0;
        return {
          notification: {
            ...notification,
            // The database turns half a surrogate pair into three characters.
            text: truncate(text, maxTextLength),
            urgent: urgent === 1,
            ...(html === null || htmlLength > maxHtmlOfPage ? {} : { html }),
          },
          isOfThisBoot: isOfThisBoot === 1,
          isDateInDoubt: isDateInDoubt === 1,
          waiting: JSON.parse(waiting) as { service: string; attempts: number }[],
        };
      },
    ),
    next: rows.length < maxRecordsPerRequest ? null : (rows.at(-1)?.key ?? null),
  };
}

/** Rows of one step, so that no other request waits long for it. */
const deletedPerStep = 500;

const settled = `DELETE FROM notifications WHERE key IN (SELECT key FROM notifications n WHERE at < ?
  AND NOT EXISTS (SELECT 1 FROM deliveries d WHERE d.notification = n.key AND d.state = 'pending')
  ORDER BY at LIMIT ${String(deletedPerStep)})`;
/** One that waits, whose date is in doubt, is as old as the clock of a boot says: the queue of its service knows when it is too old. */
const expired = `DELETE FROM notifications WHERE key IN (SELECT key FROM notifications n WHERE at < ?
  AND NOT (EXISTS (SELECT 1 FROM deliveries d WHERE d.notification = n.key AND d.state = 'pending')
    AND EXISTS (SELECT 1 FROM runs r WHERE (instr(n.id, r.run || '-') > 0 OR r.key = (SELECT max(key) FROM runs)) AND ${inDoubtSql('r.boot_id')}))
  ORDER BY at LIMIT ${String(deletedPerStep)})`;

/** One step of retention; the deliveries are deleted with their message. Returns true while more is due. */
export async function dropNotifications(
  db: Database,
  { settledSeconds, pendingSeconds }: NotificationRetention,
  nowSeconds: number,
  cutoffs: Cutoffs,
): Promise<boolean> {
  const oldest = await db.value('SELECT min(at) AS value FROM notifications');
  if (typeof oldest !== 'number') return false;
  const settledBefore = cutoffs.of('notifications', oldest, nowSeconds - settledSeconds);
  const gone = await db.run(expired, settledBefore - pendingSeconds);
  const done = gone === 0 ? await db.run(settled, settledBefore) : gone;
  return done === deletedPerStep;
}
