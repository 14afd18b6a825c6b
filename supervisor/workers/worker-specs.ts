// The roster: every worker of a configuration as data. Where a worker lives is one word here.
import { fileURLToPath } from 'node:url';
import { apiContract } from '../../shared/protocol/api.js';
import type { Contract } from '../../shared/protocol/contract.js';
import { logContract } from '../../shared/protocol/log.js';
import { mqttContract } from '../../shared/protocol/mqtt.js';
import { notifyContract } from '../../shared/protocol/notify.js';
import { pollerContract } from '../../shared/protocol/poller.js';
import { proberContract } from '../../shared/protocol/prober.js';
import type { ProberSlice } from '../../shared/protocol/prober.js';
import { remoteContract } from '../../shared/protocol/remote.js';
import { storageContract } from '../../shared/protocol/storage.js';
import type { Configuration, UpsConfiguration } from '../config/configuration/configuration.js';
import {
  apiSlice,
  logSlice,
  mqttSlice,
  notifySlice,
  pollerSlice,
  remoteSlice,
  storageSlice,
} from './worker-settings.js';
import type { Place } from './poller-placement.js';
import type { WorkerSpec } from '../supervision/worker-spec.js';

/** What routes.ts says a worker may tell and ask. */
type Routes<C extends Contract> = Pick<WorkerSpec<C>, 'onEvent' | 'serve'>;

/**
 * Two seconds of silence, four missed heartbeats, cost a worker its life: then it is back within three, and the UPSes
 * of a poller are seen again before policy misses them.
 */
const silenceMs = 2_000;
/** From spawn to ready on a small board under load; on a workstation it takes 0.1 to 0.3 s. */
const startDeadlineMs = 10_000;
const stopDeadlineMs = 2_000;
/**
 * A poller that crashes again and again keeps trying at this pace: with the usual half a minute, a few crashes in a row
 * would leave a UPS on battery unseen for longer than the failsafe waits (15 s), and shut a healthy host down.
 */
const pollerBackoffMs = 2_000;
/**
 * So does the one that shuts servers down: each has a deadline, counted in seconds, and the usual backoff would use it up
 * while nothing is wrong any more.
 */
const remoteBackoffMs = 2_000;
/** Several times what each needs; above it something leaks, and the machine needs its memory in an outage. */
const memoryLimitMb = 300;

const life = { startDeadlineMs, stopDeadlineMs, memoryLimitMb } as const;
const entry = (path: string): string => fileURLToPath(new URL(`../../workers/${path}`, import.meta.url));

/** The program in which worker threads live. */
export const hostEntry = entry('host/host.js');

/** Not one of supervisor.worker_users, which the specification lists: a user that nobody has a reason to choose. */
const logUser = 'ridethrough-log';

export function logSpec(
  configuration: Configuration,
  routes: Routes<typeof logContract>,
): WorkerSpec<typeof logContract> {
  return {
    ...life,
    ...routes,
    name: 'log',
    contract: logContract,
    entry: entry('log/worker.js'),
    hosting: { kind: 'process', user: logUser, stderr: 'inherit' },
    silenceMs,
    slice: logSlice(configuration),
  };
}

export function storageSpec(
  configuration: Configuration,
  routes: Routes<typeof storageContract>,
): WorkerSpec<typeof storageContract> {
  return {
    ...life,
    ...routes,
    name: 'storage',
    contract: storageContract,
    entry: entry('storage/worker.js'),
    hosting: { kind: 'process', user: configuration.supervisor.workerUsers.storage },
    silenceMs,
    slice: storageSlice(configuration),
  };
}

export function apiSpec(
  configuration: Configuration,
  controlSocket: string,
  routes: Routes<typeof apiContract>,
): WorkerSpec<typeof apiContract> {
  return {
    ...life,
    ...routes,
    name: 'api',
    contract: apiContract,
    entry: entry('api/worker.js'),
    hosting: { kind: 'process', user: configuration.supervisor.workerUsers.api },
    silenceMs,
    slice: apiSlice(configuration, controlSocket),
  };
}

/** MQTT and notifications share a process: pure JavaScript over sockets, each in a thread of its own. */
const outboundProcess = 'outbound';

export function notifySpec(
  configuration: Configuration,
  routes: Routes<typeof notifyContract>,
): WorkerSpec<typeof notifyContract> {
  return {
    ...life,
    ...routes,
    name: 'notify',
    contract: notifyContract,
    entry: entry('notify/worker.js'),
    hosting: {
      kind: 'thread',
      process: outboundProcess,
      lane: null,
      entry: 'notify',
      user: configuration.supervisor.workerUsers.net,
    },
    silenceMs,
    slice: notifySlice(configuration),
  };
}

export function mqttSpec(
  configuration: Configuration,
  routes: Routes<typeof mqttContract>,
): WorkerSpec<typeof mqttContract> {
  return {
    ...life,
    ...routes,
    name: 'mqtt',
    contract: mqttContract,
    entry: entry('mqtt/worker.js'),
    hosting: {
      kind: 'thread',
      process: outboundProcess,
      lane: null,
      entry: 'mqtt',
      user: configuration.supervisor.workerUsers.net,
    },
    silenceMs,
    slice: mqttSlice(configuration),
  };
}

export function pollerSpec(
  configuration: Configuration,
  ups: UpsConfiguration,
  place: Place,
  routes: Routes<typeof pollerContract>,
): WorkerSpec<typeof pollerContract> {
  return {
    ...life,
    ...routes,
    name: pollerName(ups.policy.groupId),
    contract: pollerContract,
    entry: entry('poller/worker.js'),
    hosting: { kind: 'thread', ...place, entry: 'poller', user: configuration.supervisor.workerUsers.net },
    longestBackoffMs: pollerBackoffMs,
    silenceMs,
    slice: pollerSlice(configuration, ups),
  };
}

/** Hundreds of connections at once, each with what a target has said last; still far below what a machine has. */
const remoteMemoryLimitMb = 500;

/** A process of its own: what comes from a server it logs in to must not reach the pollers. */
export function remoteSpec(
  configuration: Configuration,
  routes: Routes<typeof remoteContract>,
): WorkerSpec<typeof remoteContract> {
  return {
    ...life,
    memoryLimitMb: remoteMemoryLimitMb,
    ...routes,
    name: 'remote',
    contract: remoteContract,
    entry: entry('remote/worker.js'),
    hosting: { kind: 'process', user: configuration.supervisor.workerUsers.ssh },
    longestBackoffMs: remoteBackoffMs,
    silenceMs,
    slice: remoteSlice(configuration),
  };
}

/** A process of its own, beside the one that shuts servers down: no probe is ever in its way. */
export function proberSpec(
  configuration: Configuration,
  slice: ProberSlice,
): WorkerSpec<typeof proberContract> {
  return {
    ...life,
    onEvent: {},
    serve: {},
    name: 'prober',
    contract: proberContract,
    entry: entry('prober/worker.js'),
    hosting: { kind: 'process', user: configuration.supervisor.workerUsers.ssh },
    silenceMs,
    slice,
  };
}

export function pollerName(groupId: string): string {
  return `poller:${groupId}`;
}
