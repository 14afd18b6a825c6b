// Faults of the workers: each worker with each misbehaviour.
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { apiContract } from '../../../shared/protocol/api.js';
import type { Contract } from '../../../shared/protocol/contract.js';
import { logContract } from '../../../shared/protocol/log.js';
import { mqttContract } from '../../../shared/protocol/mqtt.js';
import { notifyContract } from '../../../shared/protocol/notify.js';
import { pollerContract } from '../../../shared/protocol/poller.js';
import { proberContract } from '../../../shared/protocol/prober.js';
import { remoteContract } from '../../../shared/protocol/remote.js';
import { storageContract } from '../../../shared/protocol/storage.js';
import { plantInside } from '../../fixtures/inspector.js';
import type { Allowance, Fault, Heal, Part } from '../fault.js';
import type { Testbed } from '../testbed.js';
import type { OwnProcess } from '../processes.js';
import { entries, hostEntry, hostWithPort, processOf } from '../processes.js';
import type { Misbehaviour } from './misbehaviours.js';
import { endOfThread, hangs, stuckPool, misbehaviours } from './misbehaviours.js';

interface Worker {
  readonly part: Part;
  readonly contract: Contract;
  readonly allowance: Allowance;
  readonly pid: (testbed: Testbed) => number;
  /** The module of a thread; a process has none. */
  readonly thread?: string;
  /** Of a process: its entry for spawn-fault.ts. */
  readonly entry?: string;
}

/** The supervisor ends a hung worker after 2 s; it is ready again within the third. The targets wait for the remote worker. */
const recoveryMs = 3_000;

const nut = (testbed: Testbed): number => hostWithPort(testbed.daemon.pid, testbed.proxies.rack.clientPorts);
const outbound = (testbed: Testbed): number =>
  hostWithPort(testbed.daemon.pid, testbed.proxies.broker.clientPorts);
const process = (part: OwnProcess, contract: Contract, allowance: Allowance = {}): Worker => ({
  part,
  contract,
  allowance,
  pid: (testbed) => processOf(testbed.daemon.pid, part),
  entry: entries[part],
});

const threads: readonly Worker[] = [
  {
    part: 'poller',
    contract: pollerContract,
    allowance: { polls: ['rack'] },
    pid: nut,
    thread: 'workers/poller/',
  },
  { part: 'mqtt', contract: mqttContract, allowance: {}, pid: outbound, thread: 'workers/mqtt/' },
  { part: 'notify', contract: notifyContract, allowance: {}, pid: outbound, thread: 'workers/notify/' },
];
const processes: readonly Worker[] = [
  process('remote', remoteContract, { again: true, lateMs: recoveryMs }),
  process('storage', storageContract),
  process('api', apiContract, { api: true }),
  process('prober', proberContract),
  process('log', logContract),
];
/** Processes that host threads. Their own frames cannot be malformed except by a thread. */
const hosts: readonly Worker[] = [
  { part: 'nut', contract: pollerContract, allowance: { polls: ['rack'] }, pid: nut, entry: hostEntry },
  { part: 'outbound', contract: mqttContract, allowance: {}, pid: outbound, entry: hostEntry },
];

const names: Partial<Record<Part, string>> = {
  poller: 'the poller of one UPS',
  nut: 'the process of a poller',
  mqtt: 'the MQTT thread',
  notify: 'the notification thread',
  outbound: 'the process of MQTT and notifications',
};

/** Duration on line power of a fault that otherwise lasts until the end of the case. */
const stuckMs = 5_000;
/** Long enough for three deaths: restarts come immediately, after 1 s and after 2 s. */
const loopMs = 4_000;

export const workerFaults: readonly Fault[] = [
  ...threads.flatMap((worker) =>
    [endOfThread, ...misbehaviours].map((misbehaviour) => workerFault(worker, misbehaviour)),
  ),
  ...processes.flatMap((worker) => [
    killFault(worker),
    ...misbehaviours.map((misbehaviour) => workerFault(worker, misbehaviour)),
    workerFault(worker, stuckPool),
    spawnFaultOf(worker, 'at-start'),
    spawnFaultOf(worker, 'soon'),
  ]),
  ...hosts.flatMap((worker) => [
    killFault(worker),
    workerFault(worker, hangs),
    spawnFaultOf(worker, 'at-start'),
    spawnFaultOf(worker, 'soon'),
  ]),
];

function nameFor({ part }: Worker, effect: string): string {
  return `${names[part] ?? `the ${part} worker`} ${effect}`;
}

function lost({ part }: Worker): Pick<Fault, 'expectedLoss'> {
  if (part === 'nut') return { expectedLoss: 'poller' };
  return { expectedLoss: part === 'outbound' ? 'mqtt' : part };
}

function workerFault(worker: Worker, misbehaviour: Misbehaviour): Fault {
  const [event] = Object.keys(worker.contract.events);
  return {
    name: nameFor(worker, misbehaviour.effect),
    part: worker.part,
    allowance: worker.allowance,
    lastsMs: misbehaviour.survives === true ? stuckMs : 0,
    persists: misbehaviour.survives === true,
    ...(misbehaviour.survives === true ? {} : lost(worker)),
    inject: async (testbed) => {
      const fifo = join(testbed.directory, 'fifo');
      execFileSync('sh', ['-c', `[ -p ${fifo} ] || mkfifo -m 666 ${fifo}`]);
      await plantInside(worker.pid(testbed), misbehaviour.code(event, fifo), worker.thread);
      // The supervisor kills a worker that cannot survive, although it is stuck.
      return () => (misbehaviour.survives === true ? releaseReader(fifo) : undefined);
    },
  };
}

/** Gives the blocked reader a writer and an end of file. */
function releaseReader(fifo: string): void {
  closeSync(openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK));
}

function killFault(worker: Worker): Fault {
  return {
    name: nameFor(worker, 'is killed'),
    part: worker.part,
    allowance: worker.allowance,
    lastsMs: 0,
    persists: false,
    ...lost(worker),
    inject: (testbed) => {
      kill(worker.pid(testbed));
      return Promise.resolve(() => undefined);
    },
  };
}

function spawnFaultOf(worker: Worker, when: 'at-start' | 'soon'): Fault {
  const entry = worker.entry ?? '';
  // No target can be commanded without the remote worker, so commands are late by the duration of the crash loop.
  const late = worker.part === 'remote' ? { lateMs: loopMs + recoveryMs } : {};
  return {
    name: nameFor(worker, when === 'at-start' ? 'dies at each start' : 'dies soon after each start'),
    part: worker.part,
    allowance: { ...worker.allowance, ...late },
    lastsMs: loopMs,
    persists: false,
    ...lost(worker),
    inject: (testbed): Promise<Heal> => {
      const pid = worker.pid(testbed);
      testbed.spawnFault.die(entry, when);
      kill(pid);
      return Promise.resolve(() => testbed.spawnFault.live(entry));
    },
  };
}

function kill(pid: number): void {
  globalThis.process.kill(pid, 'SIGKILL');
}
