// An API worker in this process with a fake supervisor: real sockets and a model, no other part.
import type { RedundancyRow } from '../../../shared/domain/status/status-model.js';
import type { Plan } from '../../../shared/domain/outage/plan.js';
import type { UpsRow } from '../../../shared/domain/status/status-model.js';
import type {
  ApiSettings,
  AuditRecord,
  ModelChange,
  PublishedUps,
  apiContract,
} from '../../../shared/protocol/api.js';
import type { LogRecord } from '../../../shared/domain/status/log-record.js';
import { loggerTo } from '../../../shared/runtime/log.js';
import type { Clock } from '../../../shared/runtime/clock.js';
import { systemClock } from '../../../shared/runtime/clock.js';
import type { Outcome } from '../../../shared/protocol/contract.js';
import type { WorkerBody, WorkerContext } from '../../../shared/runtime/worker-main.js';
import type { Limits } from '../../../workers/api/http/limits.js';
import { defaultLimits } from '../../../workers/api/http/limits.js';
import { startApi } from '../../../workers/api/start.js';
import { controlAnswers, remoteServer } from './published-settings.js';
import { apiSettings } from '../../fixtures/api-settings.js';
import { temporaryFolder } from '../../fixtures/temporary-folder.js';

type Api = typeof apiContract;
export type Ask = (name: string, group: string, params: object) => Promise<Outcome<unknown>>;

export interface ApiUnderTest {
  readonly port: number;
  readonly socket: string;
  readonly body: WorkerBody<Api>;
  readonly settings: ApiSettings;
  readonly log: readonly LogRecord[];
  readonly listening: readonly { address: string; error: string | null }[];
  /** The audit rows it sent. */
  readonly audited: readonly AuditRecord[];
  /** The number of requests to the supervisor. */
  readonly asked: readonly string[];
  publish(change?: Partial<ModelChange>): Promise<Outcome<unknown>>;
  /** Settles when the next `api.listening` has come. */
  nextListening(): Promise<{ address: string; error: string | null }>;
  end(): Promise<void>;
}

export interface Options {
  readonly limits?: Partial<Limits>;
  readonly settings?: Partial<ApiSettings>;
  readonly ask?: Ask;
  readonly auth?: Partial<ApiSettings['auth']>;
  readonly clock?: Clock;
}

/** Short deadlines; a test that is about one sets its own. */
const quick: Limits = {
  ...defaultLimits,
  ...{ sweepMs: 20, drainMs: 50, reopenMs: 20, publishMs: 100, askMs: 100 },
};

export async function startedApi({
  limits,
  settings: given,
  ask = answers,
  auth,
  clock = systemClock,
}: Options = {}): Promise<ApiUnderTest> {
  const folder = temporaryFolder();
  const base = apiSettings(folder);
  const settings: ApiSettings = {
    ...base,
    version: '9.8.7',
    allowedHosts: ['Ups.Example.Org'],
    auth: { ...base.auth, ...auth },
    ...given,
  };
  const log: LogRecord[] = [];
  const listening: { address: string; error: string | null }[] = [];
  const audited: AuditRecord[] = [];
  const waiting: ((event: { address: string; error: string | null }) => void)[] = [];
  const asked: string[] = [];
  const context: WorkerContext<Api> = {
    log: loggerTo('api', clock, (record) => void log.push(record)),
    clock,
    activate: () => undefined,
    emitNewest: () => undefined,
    emit: (_name, event) => {
      if ('detail' in event) {
        audited.push(event);
        return true;
      }
      if ('counts' in event) return true;
      listening.push(event);
      for (const settle of waiting.splice(0)) settle(event);
      return true;
    },
    ask: (name, params) => {
      const group = 'group' in params ? params.group : '';
      asked.push(`${name} ${group}`);
      return ask(name, group, params) as never;
    },
  };
  const body = await startApi(settings, context, { ...quick, ...limits });
  return {
    port: Number(listening.find(({ error }) => error === null)?.address.replace(/^.*:/, '') ?? 0),
    socket: settings.controlSocket,
    body,
    settings,
    log,
    listening,
    audited,
    asked,
    publish: (change) => body.requests['model.publish'](modelChange(change), 1000),
    nextListening: () => new Promise((resolve) => waiting.push(resolve)),
    end: async () => {
      await body.drain(1000);
    },
  };
}

/** The same with a model. */
export async function publishedApi(options: Options = {}): Promise<ApiUnderTest> {
  const api = await startedApi(options);
  await api.publish();
  return api;
}

export const answers: Ask = (name, group) => {
  const values: Record<string, unknown> = {
    'readings.get': { readings: { 'battery.charge': '87', 'ups.status': 'OL CHRG' } },
    'explain.get': { triggers: [], text: `Nothing threatens ${group}.` },
    'plan.get': { plan: plan(group) },
    'recovery.check': { reason: '', machines: [] },
    ...controlAnswers,
    'selfTest.run': { command: 'test.battery.start.quick' },
    'log.tail': { lines: ['a line'] },
  };
  return Promise.resolve({ ok: true, value: values[name] });
};

export function plan(group: string): Plan {
  return {
    group,
    label: 'Office',
    fedBy: [group],
    boundSeconds: 35,
    estimateSeconds: 1,
    dryRun: true,
    phases: [
      {
        name: 'local_poweroff',
        beginsAfterSeconds: 0,
        budgetSeconds: 35,
        estimateSeconds: 1,
        steps: [
          {
            id: 'local_poweroff/host',
            phase: 'local_poweroff',
            target: 'this host',
            lane: 'host',
            rank: 0,
            begins: 'with_phase',
            action: {
              kind: 'poweroff',
              command: ['/sbin/secret-shutdown', '-h'],
              fallback: ['/sbin/plan-b'],
            },
            budgetSeconds: 30,
            estimateSeconds: 1,
            destructive: true,
          },
        ],
      },
    ],
  };
}

export function row(change: Partial<UpsRow> = {}): UpsRow {
  return {
    name: 'office@127.0.0.1',
    label: 'Office',
    groupId: 'office-127.0.0.1',
    isLocal: true,
    status: 'OL CHRG',
    alarm: '',
    batteryCharge: 87,
    runtime: 1830,
    load: 23.5,
    depletionRate: 0,
    timeOnBattery: 0,
    powerQuality: {
      inputVoltage: '229.8',
      outputVoltage: '230.1',
      batteryVoltage: '',
      temperature: '',
      inputFrequency: '50.0',
      outputFrequency: '',
      voltageState: 'NORMAL',
      avrState: 'INACTIVE',
      bypassState: 'INACTIVE',
      overloadState: 'INACTIVE',
      nominalVoltage: 230,
      warningLow: 207,
      warningHigh: 253,
    },
    phases: [],
    connectionState: 'OK',
    triggerActive: false,
    triggerReason: '',
    contradiction: '',
    valuesInDoubt: [],
    staleWait: null,
    unavailableTriggers: [],
    runtimeEstimate: null,
    staleSince: null,
    realPower: null,
    transport: 'network',
    connectionDetail: 'OK',
    shutsDown: { host: false, servers: [] },
    remoteHealth: [],
    batteryHealth: null,
    selfTest: null,
    ...change,
  };
}

export function publishedUps(change: Partial<UpsRow> = {}): PublishedUps {
  return {
    row: row(change),
    telemetry: {
      lastUpdateTime: 1_790_000_000.5,
      manufacturer: 'Eaton',
      model: '5P 1550i',
      serial: 'G1',
      firmware: '02.14',
      pollsOk: 41,
      pollsFailed: [{ detail: 'TIMEOUT', count: 2 }],
      pollSeconds: { counts: [30, 10, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0], sum: 20.25 },
      energy: {
        todayKwh: 1.5,
        monthKwh: 20,
        yearKwh: 300,
        totalKwh: 900.5,
        currency: 'EUR',
        estimated: false,
        powerFactor: null,
        partial: false,
        todayCost: 0.5,
        monthCost: 6,
        yearCost: 90,
      },
      batteryHealth: null,
      selfTest: null,
      nextTest: null,
    },
  };
}

export function modelChange(change: Partial<ModelChange> = {}): ModelChange {
  const ups = change.ups ?? [publishedUps()];
  return {
    full: true,
    ups,
    order: ups.map((one) => one.row.groupId),
    redundancyGroups: [redundancyGroup],
    ready: {
      ready: true,
      reasons: [],
      capabilities: [{ id: 'local_poweroff', achievable: true, reason: '' }],
      workers: [{ name: 'api', state: 'ready', restarts: 3 }],
    },
    sequence: { active: false },
    remoteHealth: [remoteServer],
    recovery: { state: 'off', reason: 'recovery is off', targets: [] },
    events: [],
    notifications: {
      pending: 2,
      sent: 5,
      cancelled: 1,
      services: [
        { name: 'notifications.urls[0] (ntfy)', pending: 2, fault: 'its server refuses the connection' },
      ],
    },
    mqttConnected: true,
    storage: { samplesDropped: 0, flushSeconds: { counts: [], sum: 0 } },
    ...change,
  };
}

export const redundancyGroup: RedundancyRow = {
  groupId: 'redundancy-rack-1',
  name: 'rack-1',
  upsSources: ['office@127.0.0.1'],
  minHealthy: 1,
  healthyCount: 1,
  quorumLost: false,
  quorumDeferred: false,
  members: [{ name: 'office@127.0.0.1', health: 'HEALTHY', effectiveHealth: 'HEALTHY' }],
  isLocal: false,
  shutsDown: { host: false, servers: [] },
  remoteHealth: [],
};
