// A notification and the state of its delivery to each service (specification/notifications.md#states).
import * as t from 'io-ts';
import { finite, integerFrom, oneOf, orNull, textUpTo } from './units.js';

/** Longest text of a message; longer ones are cut where they are made. */
export const longestText = 4000;

/** Why a message was not, and will not be, delivered to a service. */
export const CancelReason = oneOf('max_attempts', 'too_old', 'overflow', 'coalesced', 'superseded');
export type CancelReason = t.TypeOf<typeof CancelReason>;

/** A delivery under way is pending: that it is under way is known in memory only. */
export const DeliveryState = oneOf('pending', 'sent', 'cancelled');
export type DeliveryState = t.TypeOf<typeof DeliveryState>;

/** Unix seconds, fractional, to the year 9999. */
const at = t.refinement(finite, (seconds) => seconds >= 0 && seconds < 253_402_300_800, 'Unix seconds');

/** Which service: the hexadecimal digits made of its address. */
export const ServiceId = textUpTo(64);

export const Notification = t.readonly(
  t.type({
    /** The run of the supervisor and a number; never used twice, so that a message handed over twice is one. */
    id: textUpTo(200),
    /** When it happened. */
    at,
    /** A groupId or `daemon`. */
    source: textUpTo(256),
    /** An event type; one that a former version knew is still delivered. */
    type: textUpTo(64),
    /** What happened, what it means, what to do. */
    text: textUpTo(longestText),
    /** A safety event: ahead of every backlog, last to overflow. */
    urgent: t.boolean,
  }),
  'Notification',
);
export type Notification = t.TypeOf<typeof Notification>;

/** What has become of one message at one service. */
export const Delivery = t.readonly(
  t.type({
    service: ServiceId,
    state: DeliveryState,
    /** Null unless cancelled. */
    reason: orNull(CancelReason),
    /** Failed ones and, once sent, the one that was not. */
    attempts: integerFrom(0, Number.MAX_SAFE_INTEGER),
    /** When it came into this state. */
    at,
  }),
  'Delivery',
);
export type Delivery = t.TypeOf<typeof Delivery>;
