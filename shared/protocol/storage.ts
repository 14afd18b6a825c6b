// The contract of the storage worker: the only writer of the history database. It answers a write after its commit and
// recognises a repeated write, so that the supervisor may repeat what was not acknowledged.
import * as t from 'io-ts';
import { BatteryHealth, BatterySettings } from '../domain/ups/battery/health.js';
import { Power } from '../domain/ups/energy.js';
import { EventType } from '../domain/status/events.js';
import { metrics } from '../domain/status/metrics.js';
import { maxShutdownSteps, ShutdownRecord } from '../domain/outage/outage.js';
import { ServerTime } from '../domain/outage/server-time.js';
import { count, finite, integerFrom, orNull, textUpTo } from '../domain/base/units.js';
import type { Contract } from './contract.js';
import { nothing } from './contract.js';
import { EnergyCounted } from './energy-counted.js';
import { gaugesRead } from './gauges.js';
import { importRequests } from './history-import.js';
import { notificationRequests } from './notification-records.js';
import { reportRequests } from './reports.js';
import { selfTestRequests } from './self-tests.js';

/** The database's file in `statistics.db_directory`. */
export const databaseName = 'ridethrough.db';

/** The schema this build writes and reads (workers/storage/migrations.ts), in the file's `user_version`. */
export const schemaVersion = 15;

/** Bounds of one request: a commit of some ms, well below the longest frame. */
export const maxEventsPerRequest = 200;
export const maxSamplesPerRequest = 5000;
/** Of some hundred readings; with the complete readings of a start it stays below the longest frame. */
export const maxChangesPerRequest = 1000;
/** Variables of one change, and of a reading as evidence: several times those of the largest device. */
export const maxChangedVariables = 1000;
/** Items of one deletion (specification/api-writes.md#event-deletion). */
export const maxDeletions = 1000;
/** Longest text of an event; the supervisor cuts longer ones. */
export const maxDetailLength = 4000;
/** ups.status: more than all words of NUT. */
export const maxStatusLength = 256;
/** Longest summary of a shutdown; with the surrounding text it must fit into an event. */
export const maxSummaryLength = 3000;

/** Upper bounds in seconds of the flush histogram's buckets; the last, +Inf, is not listed. */
export const flushSecondsBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** Failure codes in addition to those of the link. All but DISABLED may be temporary: the request may be repeated. */
export const storageFailure = {
  diskFull: 'DISK_FULL',
  readOnly: 'READ_ONLY',
  locked: 'LOCKED',
  ioError: 'IO_ERROR',
  corrupt: 'CORRUPT',
  newerSchema: 'NEWER_SCHEMA',
  cannotOpen: 'CANNOT_OPEN',
  busy: 'BUSY',
  /** `statistics.enabled` is false. */
  disabled: 'DISABLED',
} as const;

const name = textUpTo(256);
/** Identifies one run of the supervisor: random, created at its start. */
const run = textUpTo(64);
/** Unix seconds, fractional; from 1970 to the year 9999. */
const at = t.refinement(finite, (seconds) => seconds >= 0 && seconds < 253_402_300_800, 'Unix seconds');
const sinceBoot = t.partial({ bootMs: finite });
const detail = textUpTo(maxDetailLength);
const summary = textUpTo(maxSummaryLength);

export const Retention = t.type({
  rawHours: integerFrom(1, 24 * 366),
  fiveMinuteDays: integerFrom(1, 36_600),
  hourlyDays: integerFrom(1, 36_600),
});
export type Retention = t.TypeOf<typeof Retention>;

export const HistorySettings = t.type(
  {
    /** `statistics.db_directory`. */
    directory: textUpTo(4096),
    /** False: no samples, and only audit, shutdown and remote-health events. */
    enabled: t.boolean,
    retention: Retention,
  },
  'HistorySettings',
);
export type HistorySettings = t.TypeOf<typeof HistorySettings>;

/** How long messages are kept: settled ones, and those still pending after that. */
export const NotificationRetention = t.type({ settledSeconds: finite, pendingSeconds: finite });
export type NotificationRetention = t.TypeOf<typeof NotificationRetention>;

export const StorageSettings = t.intersection(
  [
    HistorySettings,
    t.type({
      notifications: NotificationRetention,
      /** Of the UPSes whose battery is assessed. */
      batteries: t.readonlyArray(BatterySettings),
    }),
  ],
  'StorageSettings',
);
export type StorageSettings = t.TypeOf<typeof StorageSettings>;

/** Run and `seq`, which increases, are the key. `source` is a groupId or `daemon`. `boot`: which, and the ms since it, with suspends. */
export const EventRecord = t.readonly(
  t.intersection([
    t.type({ seq: integerFrom(1, Number.MAX_SAFE_INTEGER), at, source: name, type: EventType, detail }),
    t.partial({ boot: t.readonly(t.type({ id: textUpTo(64), ms: finite })) }),
  ]),
  'EventRecord',
);
export type EventRecord = t.TypeOf<typeof EventRecord>;

/**
 * One good reading of a UPS; UPS and millisecond are its key. `bootMs`: the ms since the boot, with suspends. `power` is absent while unknown or not counted. `status` is
 * ups.status, and `batteryDate` the date of its battery (YYYY-MM-DD) where it reports one.
 */
export const SampleRecord = t.readonly(
  t.intersection([
    t.type({
      groupId: name,
      at,
      values: t.refinement(
        t.readonlyArray(orNull(finite)),
        (values) => values.length === metrics.length,
        `${String(metrics.length)} values`,
      ),
    }),
    t.partial({ power: Power, status: textUpTo(maxStatusLength), batteryDate: textUpTo(10), bootMs: finite }),
  ]),
  'SampleRecord',
);
export type SampleRecord = t.TypeOf<typeof SampleRecord>;

/** What changed in the variables of a UPS with one reading; null for a variable that is gone. */
export const ChangeRecord = t.readonly(
  t.type({
    groupId: name,
    at,
    /** All variables; those not named are gone. */
    isWhole: t.boolean,
    variables: t.record(textUpTo(256), orNull(textUpTo(1024))),
  }),
  'ChangeRecord',
);
export type ChangeRecord = t.TypeOf<typeof ChangeRecord>;

function listUpTo<A>(codec: t.Type<A>, max: number): t.Type<readonly A[]> {
  return t.refinement(t.readonlyArray(codec), (items) => items.length <= max, `at most ${String(max)} items`);
}

/** Null for an event that is not stored: statistics are off, or it was deleted before it was acknowledged. */
const storedId = orNull(count);

export const Deletion = t.readonly(t.type({ id: count, ts: count, eventType: textUpTo(128) }));
export type Deletion = t.TypeOf<typeof Deletion>;
export const deletions = listUpTo(Deletion, maxDeletions);

/** More servers than any installation has; with the longest names a frame of some megabytes. */
export const maxFailedServers = 4_000;

/** A FAILED period of a remote server, kept over restarts of the daemon. */
export const FailedServer = t.readonly(
  t.type({
    server: name,
    /** `user@host:port`. */
    place: textUpTo(600),
    /** The failure notification was sent. */
    notified: t.boolean,
  }),
  'FailedServer',
);
export type FailedServer = t.TypeOf<typeof FailedServer>;
/** Measurements of one request. */
export const maxServerTimes = 1_000;
export const serverTimes = t.type({ times: listUpTo(ServerTime, maxServerTimes) });

const failedServers = t.type({ failed: listUpTo(FailedServer, maxFailedServers) });

/** The battery of one UPS as it is assessed, and the events to record of it: they come again until they are recorded. */
export const AssessedBattery = t.readonly(
  t.type({ groupId: name, health: BatteryHealth, due: t.readonlyArray(EventType) }),
  'AssessedBattery',
);
export type AssessedBattery = t.TypeOf<typeof AssessedBattery>;
/** Of one message: a tenth of the longest frame. */
export const maxAssessedBatteries = 100;

export const storageContract = {
  name: 'storage',
  settings: StorageSettings,
  events: {
    /** The database became usable or unusable: why, what it means, what to do. */
    'storage.changed': {
      body: t.type({ available: t.boolean, code: textUpTo(64), message: textUpTo(1024) }),
      flow: 'newest',
    },
    /** Every minute while UPSes have counted energy. */
    'energy.counted': { body: EnergyCounted, flow: 'newest' },
    /** After each update interval of a UPS; after a start what is known of all. */
    'batteries.assessed': {
      body: t.type({ ups: listUpTo(AssessedBattery, maxAssessedBatteries) }),
      flow: 'queued',
    },
  },
  requests: {
    ...notificationRequests,
    ...selfTestRequests,
    ...reportRequests,
    ...importRequests,
    /**
     * The daemon has started: decides which lifecycle event this start is and records it, once per run.
     */
    'run.begin': {
      params: t.intersection([
        t.type({
          run,
          bootId: textUpTo(64),
          version: textUpTo(64),
          at,
          /** The summary of a shutdown from a journal of another boot: this start follows it. */
          recovered: orNull(summary),
        }),
        sinceBoot,
      ]),
      result: t.type({
        type: EventType,
        id: storedId,
        ts: count,
        detail,
        gauges: gaugesRead,
      }),
    },
    /**
     * A summary of what a shutdown that is not over has done, or null once power is back: on disk, so that the next boot
     * knows why the machine was down.
     */
    'sequence.keep': { params: t.type({ run, sequence: orNull(summary) }), result: nothing },
    /** A clean stop: records DAEMON_STOP and the mark without which the next start counts as after a crash. */
    'run.end': {
      params: t.intersection([t.type({ run, at, detail }), sinceBoot]),
      result: t.type({ id: storedId, ts: count }),
    },
    /** Answered after a durable commit of all events. `seconds`: the duration of the commit. */
    'events.append': {
      params: t.type({ run, events: listUpTo(EventRecord, maxEventsPerRequest) }),
      result: t.type({ stored: t.array(t.type({ seq: count, id: storedId })), seconds: finite }),
    },
    'samples.append': {
      params: t.intersection([
        t.type({ samples: listUpTo(SampleRecord, maxSamplesPerRequest) }),
        /** The boot of all samples. */
        t.partial({ bootId: textUpTo(64) }),
      ]),
      result: t.type({ stored: count, seconds: finite }),
    },
    /**
     * The evidence of a possible outage: kept in memory, never repeated. A UPS begins with a whole reading. `incomplete`: of
     * these UPSes storage has no reading that the change belongs to; the next one must be whole.
     */
    'changes.append': {
      params: t.type({ changes: listUpTo(ChangeRecord, maxChangesPerRequest) }),
      result: t.type({ incomplete: listUpTo(name, maxChangesPerRequest) }),
    },
    /** A shutdown as far as it is; group and start are its key, the newest wins. */
    'shutdown.keep': {
      params: t.type({
        shutdown: t.refinement(
          ShutdownRecord,
          ({ steps }) => steps.length <= maxShutdownSteps,
          `at most ${String(maxShutdownSteps)} steps`,
        ),
      }),
      result: nothing,
    },
    /** Replaces the stored FAILED periods, also without statistics. */
    'health.keep': { params: failedServers, result: nothing },
    /** How long servers took; the newest of each are kept. Repeated ones change nothing. */
    'servers.measured': { params: serverTimes, result: nothing },
    'health.recall': { params: nothing, result: failedServers },
    /**
     * Deletes the events of `source` that match in all three fields, except audit rows, and records one row, EVENTS_DELETED
     * or, where nothing matched, EVENTS_DELETE_FAILED, in one transaction. Never repeated automatically: a second request
     * records a second row.
     */
    'events.delete': {
      params: t.type({ source: name, items: deletions, principal: name, at }),
      result: t.type({ deleted: count, type: EventType, id: count, ts: count, detail }),
    },
  },
  asks: {},
} as const satisfies Contract;
