// The contract of the notify worker: delivers messages through services, each on its own schedule, and reports every
// delivery. Its queue is in memory; the supervisor stores what must survive it.
import * as t from 'io-ts';
import { Delivery, Notification, ServiceId } from '../domain/services/notification.js';
import { OutboundProxies } from '../domain/services/outbound-proxies.js';
import { TimeSpan } from '../domain/base/time-span.js';
import { count, finite, integerFrom, orNull, textUpTo } from '../domain/base/units.js';
import type { Contract } from './contract.js';

/** Messages of one request, and changes of one event: some hundred kB at most. */
export const maxPerTake = 50;
export const maxPerReport = 500;

export const ServiceSettings = t.readonly(
  t.type({
    /** Depends only on the address, not on its place in the file, and does not reveal it. */
    id: ServiceId,
    /** `notifications.urls[0] (ntfy)`: for messages; has no part of the address. */
    name: textUpTo(256),
    /** A secret. */
    url: textUpTo(4096),
    /** ON_BATTERY waits so long for the power to return. */
    afterMs: finite,
    /** Outages shorter than that are reported together after this time; 0: not at all. */
    digestMs: finite,
    /** When only safety events are sent. */
    quiet: orNull(TimeSpan),
    /** Templates; empty for the usual form. */
    title: textUpTo(256),
    body: textUpTo(4096),
    /** Values are secrets. */
    headers: t.readonlyArray(t.readonly(t.type({ name: textUpTo(256), value: textUpTo(4096) }))),
  }),
  'ServiceSettings',
);
export type ServiceSettings = t.TypeOf<typeof ServiceSettings>;

export const NotifySettings = t.type(
  {
    services: t.array(ServiceSettings),
    /** The names of the UPSes and groups, for templates. */
    sources: t.array(t.type({ groupId: textUpTo(256), name: textUpTo(256), label: textUpTo(256) })),
    /** The beginning of the title of a message; null for the name of this host. */
    title: orNull(textUpTo(256)),
    /** The name of this host for mail servers; null for its own. */
    mailHostName: orNull(textUpTo(256)),
    proxies: OutboundProxies,
    /** For one attempt, from the look-up of the name to the last byte of the answer. */
    timeoutMs: finite,
    retryIntervalMs: finite,
    retryBackoffMaxMs: finite,
    /** 0: no limit. */
    maxAttempts: count,
    maxAgeSeconds: finite,
    /** For one service. */
    maxPending: integerFrom(1, Number.MAX_SAFE_INTEGER),
  },
  'NotifySettings',
);
export type NotifySettings = t.TypeOf<typeof NotifySettings>;

/** A message to deliver to the services where it is pending. */
export const Task = t.intersection(
  [
    t.type({
      notification: Notification,
      waiting: t.array(t.type({ service: ServiceId, attempts: count })),
      /** Monotonic ms of the event, before 0 in an earlier boot. */
      bornMs: finite,
    }),
    /** It may be older, since the clock was set. */
    t.partial({ isAgeUnknown: t.boolean }),
  ],
  'Task',
);
export type Task = t.TypeOf<typeof Task>;

export const ServiceState = t.readonly(
  t.type({
    id: ServiceId,
    pending: count,
    /** Failed attempts since the last delivery. */
    failures: count,
    /** Why the last one failed, and what to do; empty after a delivery. Without the address. */
    fault: textUpTo(1024),
  }),
  'ServiceState',
);
export type ServiceState = t.TypeOf<typeof ServiceState>;

/** Changes of deliveries since the last report. */
export const DeliveryReport = t.type(
  {
    /** The only message that the worker creates: the summary of an outage that ended before it was delivered. */
    summaries: t.array(Notification),
    deliveries: t.array(t.type({ notification: textUpTo(200), delivery: Delivery })),
    /** The present state of every service. */
    services: t.array(ServiceState),
  },
  'DeliveryReport',
);
export type DeliveryReport = t.TypeOf<typeof DeliveryReport>;

/** The answer of a service to the test message. */
export const TestedService = t.type(
  {
    /** `notifications.urls[0] (ntfy)` */
    name: textUpTo(256),
    delivered: t.boolean,
    /** Why it was not delivered, or a warning; empty when all is well. Without the address. */
    message: textUpTo(1024),
    seconds: finite,
  },
  'TestedService',
);
export type TestedService = t.TypeOf<typeof TestedService>;

export const notifyContract = {
  name: 'notify',
  settings: NotifySettings,
  events: { 'deliveries.changed': { body: DeliveryReport, flow: 'queued' } },
  requests: {
    /** Adds messages to the queue. A message that is known is not added twice. */
    'notifications.take': {
      params: t.type({ tasks: t.array(Task) }),
      result: t.type({}),
    },
    /** Sends one test message to every service, ahead of its backlog and its pause, and waits for the answers. */
    'services.test': {
      params: t.type({}),
      result: t.type({ services: t.array(TestedService) }),
    },
  },
  asks: {},
} as const satisfies Contract;
