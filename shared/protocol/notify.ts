// The notify worker: delivers messages to people through services, each on its own schedule, and tells what became of
// every one. It keeps its queue in memory; what must outlive it, the supervisor hands to storage.
import * as t from 'io-ts';
import { Delivery, Notification, ServiceId } from '../domain/notification.js';
import { finite, integerFrom, orNull, textUpTo } from '../domain/units.js';
import type { Contract } from './contract.js';

/** Messages of one request, and changes of one event: some hundred kilobytes at most. */
export const mostPerTake = 50;
export const mostPerReport = 500;

const count = integerFrom(0, Number.MAX_SAFE_INTEGER);

export const NotifySlice = t.type(
  {
    services: t.array(
      t.type({
        id: ServiceId,
        /** For people; says nothing of the address. */
        name: textUpTo(256),
        /** A secret. */
        url: textUpTo(4096),
      }),
    ),
    /** What a message begins with; null for the name of this host. */
    title: orNull(textUpTo(256)),
    /** Of one attempt, from the look-up of the name to the last byte of the answer. */
    timeoutMs: finite,
    retryIntervalMs: finite,
    retryBackoffMaxMs: finite,
    /** 0: no limit. */
    maxAttempts: count,
    maxAgeSeconds: finite,
    /** Of one service. */
    maxPending: integerFrom(1, Number.MAX_SAFE_INTEGER),
  },
  'NotifySlice',
);
export type NotifySlice = t.TypeOf<typeof NotifySlice>;

/** A message to deliver: to all services of the configuration (null), or on with those that still wait for it. */
export const Task = t.type(
  {
    notification: Notification,
    waiting: orNull(t.array(t.type({ service: ServiceId, attempts: count }))),
  },
  'Task',
);
export type Task = t.TypeOf<typeof Task>;

/** What has become of messages since the last report. */
export const DeliveryReport = t.type(
  {
    /** The only message the worker makes itself: the summary of an outage that came and went unheard. */
    summaries: t.array(Notification),
    deliveries: t.array(t.type({ notification: textUpTo(200), delivery: Delivery })),
    /** Deliveries that wait, over all services. */
    pending: count,
  },
  'DeliveryReport',
);
export type DeliveryReport = t.TypeOf<typeof DeliveryReport>;

/** How a service answered to the test message. */
export const TestedService = t.type(
  {
    /** `notifications.urls[0] (ntfy)` */
    name: textUpTo(256),
    delivered: t.boolean,
    /** Why it was not delivered, or what is amiss though it was; empty where all is well. Without the address. */
    message: textUpTo(1024),
    seconds: finite,
  },
  'TestedService',
);
export type TestedService = t.TypeOf<typeof TestedService>;

export const notifyContract = {
  name: 'notify',
  slice: NotifySlice,
  events: { 'deliveries.changed': { body: DeliveryReport, flow: 'queued' } },
  requests: {
    /** Takes messages over. One that is known already is not taken twice. */
    'notifications.take': {
      params: t.type({ tasks: t.array(Task) }),
      result: t.type({}),
    },
    /** Sends a test message to every service, past its backlog and its pause, once each, and waits for the answers. */
    'services.test': {
      params: t.type({}),
      result: t.type({ services: t.array(TestedService) }),
    },
  },
  asks: {},
} as const satisfies Contract;
