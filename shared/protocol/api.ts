// The contract of the API worker: HTTP on TCP (if enabled) and on the control socket. It holds a copy of the read model,
// which the supervisor updates. It is the only worker that may send asks to the supervisor.
import * as t from 'io-ts';
import { BatteryHealth } from '../domain/ups/battery/health.js';
import { Energy } from '../domain/ups/energy.js';
import { AuditEventType, EventType } from '../domain/status/events.js';
import { Plan } from '../domain/outage/plan.js';
import { RecoveryCheck } from '../domain/recovery/recovery-check.js';
import { RecoveryStatus } from '../domain/recovery/recovery-status.js';
import { PollFailure } from '../domain/status/states.js';
import { SelfTest } from '../domain/ups/self-test.js';
import { ConfigSummary } from '../domain/status/config-summary.js';
import {
  RedundancyRow,
  RemoteHealthRow,
  SequenceModel,
  TriggerExplanation,
  UpsRow,
} from '../domain/status/status-model.js';
import { count, finite, integerFrom, orNull, textUpTo } from '../domain/base/units.js';
import type { Contract } from './contract.js';
import { TestedService } from './notify.js';
import { nothing } from './contract.js';
import { ImportBatch, ImportResult } from './history-import.js';
import { LogTail } from './log.js';
import { NamedCommand, WritableVariable } from './poller.js';
import { composeRequests } from './reports.js';
import { HistorySettings, deletions, serverTimes } from './storage.js';

export const AuthSettings = t.type(
  {
    /** Null: unset, which means on as soon as a user exists. */
    enabled: orNull(t.boolean),
    requireForReads: t.boolean,
    sessionTtlSeconds: integerFrom(1, Number.MAX_SAFE_INTEGER),
    dbPath: t.string,
  },
  'AuthSettings',
);
export type AuthSettings = t.TypeOf<typeof AuthSettings>;

export const ApiSettings = t.type(
  {
    version: t.string,
    /** Null while `api.enabled` is false: then only the control socket is served. */
    listen: orNull(t.type({ bind: t.string, port: integerFrom(0, 65535) })),
    allowedHosts: t.array(t.string),
    basePath: t.string,
    trustedProxies: t.array(t.string),
    /** Where to bind the control socket; the supervisor prepared the directory with its group. */
    controlSocket: t.string,
    metrics: t.type({ enabled: t.boolean, prefix: t.string, nutExporterNames: t.boolean }),
    /** The body of GET /api/v1/config without `api`. */
    summary: ConfigSummary,
    auth: AuthSettings,
    /** Where the history database is, and whether a history is kept. */
    statistics: HistorySettings,
    /** `costPerKwh` 0: no cost is shown. `weekday`: the first day of a week, 0 is Sunday. */
    reports: t.type({ costPerKwh: finite, currency: t.string, weekday: integerFrom(0, 6) }),
  },
  'ApiSettings',
);
export type ApiSettings = t.TypeOf<typeof ApiSettings>;

/** Upper bounds in seconds of the poll duration histogram's buckets; the last, +Inf, is not listed. */
export const pollSecondsBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** Poll statistics for the metrics and /ready. The supervisor counts, so that a restart of the API resets nothing. */
export const UpsTelemetry = t.type(
  {
    /** Unix time of the last good reading, null before any. */
    lastUpdateTime: orNull(finite),
    manufacturer: t.string,
    model: t.string,
    serial: t.string,
    firmware: t.string,
    pollsOk: count,
    pollsFailed: t.array(t.type({ detail: PollFailure, count })),
    /** Counts per bucket of `pollSecondsBounds` plus +Inf, not cumulative. */
    pollSeconds: t.type({ counts: t.array(count), sum: finite }),
    /** Null while unknown or off. */
    energy: orNull(Energy),
    /** Null while unknown or off. */
    batteryHealth: orNull(BatteryHealth),
    /** Null while unknown. */
    selfTest: orNull(SelfTest),
    /** The next date of the schedule of battery tests, Unix seconds; null without one. */
    nextTest: orNull(finite),
  },
  'UpsTelemetry',
);
export type UpsTelemetry = t.TypeOf<typeof UpsTelemetry>;

export const PublishedUps = t.type({ row: UpsRow, telemetry: UpsTelemetry }, 'PublishedUps');
export type PublishedUps = t.TypeOf<typeof PublishedUps>;

/** GET /ready without `ups`, which the API worker adds from the rows. */
export const ReadyModel = t.type(
  {
    ready: t.boolean,
    reasons: t.array(t.string),
    capabilities: t.array(t.type({ id: t.string, achievable: t.boolean, reason: t.string })),
    workers: t.array(t.type({ name: t.string, state: t.string, restarts: count })),
  },
  'ReadyModel',
);
export type ReadyModel = t.TypeOf<typeof ReadyModel>;

/** Statistics of the supervisor's queue to storage, for the metrics. */
export const StorageTelemetry = t.type(
  {
    samplesDropped: count,
    /** Counts per bucket of `flushSecondsBounds` plus +Inf, not cumulative. */
    flushSeconds: t.type({ counts: t.array(count), sum: finite }),
  },
  'StorageTelemetry',
);
export type StorageTelemetry = t.TypeOf<typeof StorageTelemetry>;

/** `fault`: why its messages cannot be delivered; empty while they can. */
export const ServiceTelemetry = t.readonly(t.type({ name: t.string, pending: count, fault: t.string }));
export type ServiceTelemetry = t.TypeOf<typeof ServiceTelemetry>;

/** Deliveries of notifications over all services: pending ones, and the outcomes since the daemon started. */
export const NotificationTelemetry = t.type(
  { pending: count, sent: count, cancelled: count, services: t.array(ServiceTelemetry) },
  'NotificationTelemetry',
);
export type NotificationTelemetry = t.TypeOf<typeof NotificationTelemetry>;

/** An event row as stored. */
export const StoredRow = t.type(
  { id: count, ts: count, source: t.string, type: EventType, detail: t.string },
  'StoredRow',
);
export type StoredRow = t.TypeOf<typeof StoredRow>;

/** A change of the read model since the last answered publish; the complete model (`full`) after a restart. */
export const ModelChange = t.type(
  {
    full: t.boolean,
    ups: t.array(PublishedUps),
    /** groupIds in configuration order: the order of the rows, and which ones still exist. */
    order: t.array(t.string),
    redundancyGroups: t.array(RedundancyRow),
    ready: ReadyModel,
    sequence: SequenceModel,
    storage: StorageTelemetry,
    notifications: NotificationTelemetry,
    remoteHealth: t.array(RemoteHealthRow),
    recovery: RecoveryStatus,
    /** New event rows since the last change, in order. After a lost change some may be repeated. */
    events: t.array(StoredRow),
    /** Whether the MQTT broker is connected; null while MQTT is off. */
    mqttConnected: orNull(t.boolean),
  },
  'ModelChange',
);
export type ModelChange = t.TypeOf<typeof ModelChange>;

/** The caller as audit rows name it: `local` (the socket), `user:alice from 192.0.2.7`, `apikey:label from ...`. */
const principal = textUpTo(256);
const group = textUpTo(256);
const nutName = textUpTo(256);
const nutValue = textUpTo(1024);

export const ReloadReport = t.intersection(
  [
    t.type({
      reloaded: t.boolean,
      applied: t.array(t.string),
      restartedWorkers: t.array(t.string),
      restartRequired: t.array(t.string),
      errors: t.array(t.type({ path: t.string, message: t.string })),
    }),
    /** Nobody has checked the file: its reader gave no answer. */
    t.partial({ isUnread: t.literal(true) }),
  ],
  'ReloadReport',
);
export type ReloadReport = t.TypeOf<typeof ReloadReport>;

/** An action, done or refused, as an audit row: `detail` names the principal, the target and the result. */
export const AuditRecord = t.type(
  {
    type: AuditEventType,
    /** The groupId of the UPS it is about, else `daemon`. */
    source: group,
    detail: textUpTo(1024),
  },
  'AuditRecord',
);
export type AuditRecord = t.TypeOf<typeof AuditRecord>;

/** Audit rows that were counted and not written. */
const AuditCount = t.type({ type: AuditEventType, count }, 'AuditCount');
export type AuditCount = t.TypeOf<typeof AuditCount>;

/** What one instance of the API worker has counted so far and not written. */
export const AuditCounts = t.type(
  {
    /** Random: identifies this instance of the worker. */
    instance: textUpTo(64),
    /** One of each type. */
    counts: t.refinement(t.array(AuditCount), ({ length }) => length <= 32, 'one count of each type'),
  },
  'AuditCounts',
);
export type AuditCounts = t.TypeOf<typeof AuditCounts>;

/** One batch of an import, which `id` (random) identifies. */
export const HistoryOrder = t.type(
  { principal, id: textUpTo(64), isLast: t.boolean, batch: ImportBatch },
  'HistoryOrder',
);
export type HistoryOrder = t.TypeOf<typeof HistoryOrder>;

export const apiContract = {
  name: 'api',
  settings: ApiSettings,
  events: {
    /** The TCP listener is up, or could not be opened (`error` says why and what to do). */
    'api.listening': { body: t.type({ address: t.string, error: orNull(t.string) }), flow: 'queued' },
    /** For the history and the log. The supervisor bounds how many it takes. */
    'audit.recorded': { body: AuditRecord, flow: 'queued' },
    /** Sent at the start and each second after a change: the supervisor writes them if the worker is killed. */
    'audit.counted': { body: AuditCounts, flow: 'newest' },
  },
  requests: {
    /** Newest wins: the supervisor sends the next change only after the answer to the last. */
    'model.publish': { params: ModelChange, result: nothing },
    ...composeRequests,
  },
  asks: {
    'readings.get': { params: t.type({ group }), result: t.type({ readings: t.record(t.string, t.string) }) },
    'explain.get': {
      params: t.type({ group }),
      result: t.type({ triggers: t.array(TriggerExplanation), text: t.string }),
    },
    'plan.get': { params: t.type({ group }), result: t.type({ plan: Plan }) },
    /** The way back of every machine. It changes nothing. */
    'recovery.check': { params: nothing, result: RecoveryCheck },
    /** All commands that the UPS supports, whatever the allowlist. */
    'control.commands': {
      params: t.type({ group }),
      result: t.type({ supported: t.array(NamedCommand) }),
    },
    /** Runs an allowed instant command; answers once it is done (TRACKING) or accepted. Fails with `controlFailure`. */
    'control.run': {
      params: t.type({ group, principal, command: nutName, value: orNull(nutValue) }),
      result: t.type({ output: textUpTo(4096) }),
    },
    /** Starts the configured battery test. Fails with `controlFailure` or CONFLICT. */
    'selfTest.run': { params: t.type({ group, principal }), result: t.type({ command: nutName }) },
    /** The last lines of the log, for a support archive. */
    'log.tail': { params: t.type({ principal }), result: LogTail },
    /** The allowlisted variables that the UPS makes writable. */
    'control.variables': {
      params: t.type({ group }),
      result: t.type({ variables: t.array(WritableVariable) }),
    },
    'control.write': {
      params: t.type({ group, principal, variable: nutName, value: nutValue }),
      result: t.type({ output: textUpTo(4096) }),
    },
    /** Deletes rows that match in all three fields, audit rows excepted. Fails with a code of `storageFailure`. */
    'events.delete': {
      params: t.type({ group, principal, items: deletions }),
      result: t.type({ deleted: count }),
    },
    /**
     * Adds history of another program, behind the daemon's own rows. Fails with NOT_FOUND, CONFLICT in a shutdown sequence, or a
     * code of `storageFailure`: BUSY means that the same batch may be sent again.
     */
    'history.import': { params: HistoryOrder, result: ImportResult },
    /** What a drill has measured. */
    'servers.measured': { params: serverTimes, result: nothing },
    'configuration.reload': { params: t.type({ principal }), result: ReloadReport },
    /** Answers when every service has answered to the test message or has timed out. */
    'notifications.test': {
      params: t.type({ principal }),
      result: t.type({ services: t.array(TestedService) }),
    },
    'sequence.cancel': { params: t.type({ principal }), result: t.type({ cancelled: t.literal(true) }) },
  },
} as const satisfies Contract;
