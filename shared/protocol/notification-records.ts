// The storage worker's requests for the durable queue of notifications: what waits and what became of it, by service.
import * as t from 'io-ts';
import { Delivery, Notification, ServiceId } from '../domain/notification.js';
import { finite, integerFrom, orNull, textUpTo } from '../domain/units.js';
import type { Call } from './contract.js';
import { nothing } from './contract.js';

/** Of one request, and of one page of an answer: a commit of some milliseconds, a frame of some hundred kilobytes. */
export const mostRecordsPerRequest = 100;

const count = integerFrom(0, Number.MAX_SAFE_INTEGER);

/** A new message, or news of one that is stored (`notification` is null then). */
export const NotificationRecord = t.type(
  { id: textUpTo(200), notification: orNull(Notification), deliveries: t.array(Delivery) },
  'NotificationRecord',
);
export type NotificationRecord = t.TypeOf<typeof NotificationRecord>;

export const notificationRequests = {
  /**
   * Answered after a durable commit. To be repeated until it is: what is stored already stays as it is, and a delivery
   * that was sent or cancelled never waits again. News of a message nobody knows is dropped.
   */
  'notifications.record': { params: t.type({ records: t.array(NotificationRecord) }), result: nothing },
  /** The oldest messages that still wait for a service, behind `after` (0 at first). `next` is null at the end. */
  'notifications.recall': {
    params: t.type({ after: count }),
    result: t.type({
      tasks: t.array(
        t.type({
          notification: Notification,
          waiting: t.array(t.type({ service: ServiceId, attempts: count })),
        }),
      ),
      next: orNull(count),
    }),
  },
  /**
   * Deletes messages older than `settledBefore` that wait for nothing, and those older than `allBefore` that nobody
   * will deliver any more (Unix seconds). `more`: ask again.
   */
  'notifications.forget': {
    params: t.type({ settledBefore: finite, allBefore: finite }),
    result: t.type({ more: t.boolean }),
  },
} as const satisfies Readonly<Record<string, Call>>;
