// Answers the asks of the API worker (shared/protocol/api.ts). Nothing here starts a sequence; only a cancel ends one.
import type { Outcome } from '../../shared/protocol/contract.js';
import type { apiContract, AuditRecord, ReloadReport } from '../../shared/protocol/api.js';
import type { Clock } from '../../shared/runtime/clock.js';
import { TokenBucket } from '../../shared/runtime/token-bucket.js';
import type { Logger } from '../../shared/runtime/log.js';
import type { LogTail } from '../../shared/protocol/log.js';
import type { RecoveryCheck } from '../../shared/domain/recovery/recovery-check.js';
import type { ImportBatch, ImportResult } from '../../shared/protocol/history-import.js';
import type { ServerTime } from '../../shared/domain/outage/server-time.js';
import type { Deletion } from '../../shared/protocol/storage.js';
import { AuditRateLimit } from './audit-rate-limit.js';
import type { ControlDependencies } from './ups-control.js';
import { controlAnswers } from './ups-control.js';
import { HistoryImports } from './history-imports.js';
import type { ShutdownEngine } from '../engine/engine.js';
import { setTimer } from '../host/timer.js';
import type { PollStatistics } from '../read-model/poll-statistics.js';
import type { WorkerSpec } from '../supervision/worker-spec.js';

/** Reads the file again and applies it; one at a time. `record` gets the audit row of this requester. */
export type Reload = (principal: string, record: (event: AuditRecord) => void) => Promise<ReloadReport>;

export interface AskHandlerDependencies extends Omit<ControlDependencies, 'recordRefused'> {
  requestSelfTest(group: string): Promise<Outcome<{ command: string }>>;
  deleteEvents(
    group: string,
    principal: string,
    items: readonly Deletion[],
  ): Promise<Outcome<{ deleted: number }>>;
  importHistory(batch: ImportBatch): Promise<Outcome<ImportResult>>;
  serversTook(times: readonly ServerTime[]): void;
  readonly engine: ShutdownEngine;
  readonly telemetry: PollStatistics;
  /** Whether a UPS or redundancy group with this groupId is configured. */
  hasGroup(group: string): boolean;
  reload: Reload;
  readonly clock: Clock;
  logTail(): Promise<Outcome<LogTail>>;
  recoveryCheck(): RecoveryCheck;
  testNotifications(): ReturnType<ApiHandlers['asks']['notifications.test']>;
  readonly log: Logger;
}

interface ApiHandlers extends Pick<WorkerSpec<typeof apiContract>, 'onEvent' | 'asks'> {
  /** Records the counts that are not recorded yet. Call it when the API worker has ended for good. */
  readonly ended: () => void;
}

/** The lines are up to 1 MB, which take some milliseconds of this process: a compromised worker must not ask all the time. */
const tailIntervalMs = 2_000;
/** Of a fleet, an answer is up to 1 MB too. A correct worker shares one for a quarter of a second (workers/api/http/limits.ts). */
const checksPerSecond = 4;

export function askHandlers(deps: AskHandlerDependencies): ApiHandlers {
  const { log } = deps;
  const auditRateLimit = new AuditRateLimit({
    clock: deps.clock,
    log,
    hasGroup: (group) => deps.hasGroup(group),
    record: (event) => deps.record(event),
    setTimer,
  });
  const imports = new HistoryImports({
    hasUps: (group) => deps.configuration().ups.some(({ policy }) => policy.groupId === group),
    isSequenceRunning: () => deps.engine.isSequenceRunning,
    importHistory: (batch) => deps.importHistory(batch),
    record: (event) => deps.record(event),
    setTimer,
  });
  return {
    ended: () => {
      imports.ended();
      auditRateLimit.ended();
    },
    onEvent: {
      'api.listening': ({ address, error }) => {
        if (error === null) log.info(`API and dashboard on ${address}`);
        else log.error(`the API cannot listen on ${address}: ${error}`);
      },
      'audit.recorded': (record) => auditRateLimit.take(record),
      'audit.counted': (counts) => auditRateLimit.counted(counts),
    },
    asks: {
      ...controlAnswers({
        configuration: () => deps.configuration(),
        poller: (group) => deps.poller(group),
        record: (event) => deps.record(event),
        recordRefused: (record) => auditRateLimit.take(record),
        requestSelfTest: (group) => deps.requestSelfTest(group),
      }),
      ...readAnswers(deps),
      ...changeAnswers(deps, auditRateLimit, imports),
    },
  };
}

type Answers<K extends keyof ApiHandlers['asks']> = Pick<ApiHandlers['asks'], K>;

function readAnswers(
  deps: AskHandlerDependencies,
): Answers<'readings.get' | 'explain.get' | 'plan.get' | 'recovery.check' | 'log.tail'> {
  const { telemetry, engine, log } = deps;
  let tailMs = -Infinity;
  const checkRate = new TokenBucket(2 * checksPerSecond, checksPerSecond, deps.clock.monotonicMs());
  return {
    'readings.get': ({ group }) =>
      answer(deps.hasGroup(group), () => ({ readings: { ...telemetry.variables(group) } })),
    'explain.get': ({ group }) =>
      answer(deps.hasGroup(group), () => {
        const { triggers, text } = engine.explain(group);
        return { triggers: [...triggers], text };
      }),
    'plan.get': ({ group }) => {
      const plan = engine.planOf(group);
      return plan === undefined ? Promise.resolve(unknownGroup) : answer(true, () => ({ plan }));
    },
    'recovery.check': () => {
      if (checkRate.take(deps.clock.monotonicMs())) return answer(true, () => deps.recoveryCheck());
      const message = 'the check was read too often in the last second';
      return Promise.resolve({ ok: false, error: { code: 'CONFLICT', message } });
    },
    'log.tail': ({ principal }) => {
      const nowMs = deps.clock.monotonicMs();
      if (nowMs - tailMs < tailIntervalMs) {
        const message = 'the last lines were read less than two seconds ago';
        return Promise.resolve({ ok: false, error: { code: 'CONFLICT', message } });
      }
      tailMs = nowMs;
      log.info(`${principal}: requested a support archive`);
      return deps.logTail();
    },
  };
}

function changeAnswers(
  deps: AskHandlerDependencies,
  auditRateLimit: AuditRateLimit,
  imports: HistoryImports,
): Answers<
  | 'events.delete'
  | 'history.import'
  | 'servers.measured'
  | 'configuration.reload'
  | 'notifications.test'
  | 'sequence.cancel'
> {
  const { engine, log } = deps;
  return {
    'events.delete': ({ group, principal, items }) => deps.deleteEvents(group, principal, items),
    'history.import': (order) => imports.take(order),
    'servers.measured': ({ times }) => {
      deps.serversTook(times);
      return Promise.resolve({ ok: true, value: {} });
    },
    'configuration.reload': async ({ principal }) => ({
      ok: true,
      value: await deps.reload(principal, (record) => auditRateLimit.take(record)),
    }),
    'notifications.test': ({ principal }) => {
      log.info(`${principal}: a test message goes to every notification service`);
      return deps.testNotifications();
    },
    'sequence.cancel': ({ principal }) => {
      if (engine.cancel(principal)) return Promise.resolve({ ok: true, value: { cancelled: true } });
      const message = engine.isSequenceRunning
        ? 'the sequence is past the point of no return and runs to its end'
        : 'no shutdown sequence is running';
      return Promise.resolve({ ok: false, error: { code: 'CONFLICT', message } });
    },
  };
}

const unknownGroup = {
  ok: false,
  error: { code: 'NOT_FOUND', message: 'there is no such UPS or group' },
} as const;

function answer<R>(known: boolean, value: () => R): Promise<Outcome<R>> {
  return Promise.resolve(known ? { ok: true, value: value() } : unknownGroup);
}
