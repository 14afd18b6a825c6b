// A notification and the state of its delivery to each service (specification/notifications.md#states).
import * as t from 'io-ts';
import { count, finite, oneOf, orNull, textUpTo } from '../base/units.js';

/** Longest text of a message; the sender cuts a longer one. */
export const maxTextLength = 4000;

/** Longest page of a message. Fifty of them and their text are below the longest frame. */
export const maxHtmlLength = 30_000;

/** Why a message was not, and will not be, delivered to a service. */
export const CancelReason = oneOf('max_attempts', 'too_old', 'overflow', 'coalesced', 'superseded');
export type CancelReason = t.TypeOf<typeof CancelReason>;

/** Messages by schedule; they are no events. */
export const reportTypes = ['DAILY_REPORT', 'WEEKLY_REPORT', 'MONTHLY_REPORT'] as const;
export const ReportType = oneOf(...reportTypes);
export type ReportType = t.TypeOf<typeof ReportType>;

/** A delivery under way is pending; only memory knows that it is under way. */
export const DeliveryState = oneOf('pending', 'sent', 'cancelled');
export type DeliveryState = t.TypeOf<typeof DeliveryState>;

/** Unix seconds, fractional, to the year 9999. */
const at = t.refinement(finite, (seconds) => seconds >= 0 && seconds < 253_402_300_800, 'Unix seconds');

/** Identifies a service: hexadecimal digits derived from its address. */
export const ServiceId = textUpTo(64);

export const Notification = t.readonly(
  t.intersection([
    t.type({
      /** The run of the supervisor and a number; never used twice, so that a message sent twice is recognised. */
      id: textUpTo(200),
      /** When it happened. */
      at,
      /** A groupId or `daemon`. */
      source: textUpTo(256),
      /** An event type or WEEKLY_REPORT and the like; a type of an earlier version is still delivered. */
      type: textUpTo(64),
      /** What happened, what it means, what to do. */
      text: textUpTo(maxTextLength),
      /** A safety event: sent before every backlog, last to overflow. */
      urgent: t.boolean,
    }),
    /** The same as a page, for the services that take HTML. */
    t.partial({ html: textUpTo(maxHtmlLength) }),
  ]),
  'Notification',
);
export type Notification = t.TypeOf<typeof Notification>;

/** The delivery of one message to one service. */
export const Delivery = t.readonly(
  t.type({
    service: ServiceId,
    state: DeliveryState,
    /** Null unless cancelled. */
    reason: orNull(CancelReason),
    /** Failed attempts and, once sent, the successful one. */
    attempts: count,
    /** When it entered this state. */
    at,
  }),
  'Delivery',
);
export type Delivery = t.TypeOf<typeof Delivery>;
