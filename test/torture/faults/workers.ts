// Faults of the workers: each worker, in each way.
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
import { entries, hostProgram, hostWithPort, processOf } from '../processes.js';
import type { Misbehaviour } from './misbehaviours.js';
import { endOfThread, hangs, stuckPool, misbehaviours } from './misbehaviours.js';

interface Worker {
  readonly part: Part;
  readonly contract: Contract;
  readonly allowance: Allowance;
  readonly pid: (testbed: Testbed) => number;
  /** The module of a thread; a process has none. */
  readonly thread?: string;
  /** Of a process: as spawn-fault.ts knows it. */
  readonly entry?: string;
}

/** A worker that hangs is ended after 2 s and ready again within the third: the targets wait for the one that commands them. */
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
/** What hosts threads speaks no contract of its own that could be broken otherwise than by its threads. */
const hosts: readonly Worker[] = [
  { part: 'nut', contract: pollerContract, allowance: { polls: ['rack'] }, pid: nut, entry: hostProgram },
  { part: 'outbound', contract: mqttContract, allowance: {}, pid: outbound, entry: hostProgram },
];

const names: Partial<Record<Part, string>> = {
  poller: 'the poller of one UPS',
  nut: 'the process of a poller',
  mqtt: 'the MQTT thread',
  notify: 'the notification thread',
  outbound: 'the process of MQTT and notifications',
};

/** What is stuck until the case is over is stuck for this long on line power. */
const stuckMs = 5_000;
/** Long enough for three deaths: started again at once, then after 1 s, then after 2 s. */
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
      // Who cannot live on is ended by its supervisor, stuck as it is.
      return () => (misbehaviour.survives === true ? releaseReader(fifo) : undefined);
    },
  };
}

/** Who waits for a writer has one, and reads to the end. */
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
  // Without the worker no target can be commanded: those that must wait for it are late by what it takes.
  const late = worker.part === 'remote' ? { lateMs: loopMs + recoveryMs } : {};
  return {
    name: nameFor(worker, when === 'at-start' ? 'dies whenever it is started' : 'dies soon after each start'),
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
