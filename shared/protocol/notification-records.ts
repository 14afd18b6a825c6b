// Requests to the storage worker for the durable queue of notifications: messages and their deliveries.
import * as t from 'io-ts';
import { Delivery, Notification, ServiceId } from '../domain/services/notification.js';
import { count, orNull, textUpTo } from '../domain/base/units.js';
import type { Call } from './contract.js';
import { nothing } from './contract.js';

/** Records of one request and of one page of an answer: a commit of some ms, a frame of some hundred kB. */
export const maxRecordsPerRequest = 100;

/** A new message, or deliveries of a stored one (`notification` is null then). */
export const NotificationRecord = t.type(
  { id: textUpTo(200), notification: orNull(Notification), deliveries: t.array(Delivery) },
  'NotificationRecord',
);
export type NotificationRecord = t.TypeOf<typeof NotificationRecord>;

export const notificationRequests = {
  /**
   * Answered after a durable commit; repeat it until it is. Stored records stay unchanged, and a delivery that was sent or
   * cancelled never becomes pending again. Deliveries of an unknown message are dropped.
   */
  'notifications.record': { params: t.type({ records: t.array(NotificationRecord) }), result: nothing },
  /** The oldest pending messages after the position `after` (0 at first). `next` is null at the end. */
  'notifications.recall': {
    params: t.type({ after: count, bootId: textUpTo(64) }),
    result: t.type({
      tasks: t.array(
        t.type({
          notification: Notification,
          waiting: t.array(t.type({ service: ServiceId, attempts: count })),
          /** The daemon has written it since this boot. */
          isOfThisBoot: t.boolean,
          /** The clock of its boot, or of this one, was set: `at` does not tell its age. */
          isDateInDoubt: t.boolean,
        }),
      ),
      next: orNull(count),
    }),
  },
} as const satisfies Readonly<Record<string, Call>>;
