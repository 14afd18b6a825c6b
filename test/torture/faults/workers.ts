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
import type { Excuse, Fault, Heal, Part } from '../fault.js';
import type { Ground } from '../ground.js';
import type { OwnProcess } from '../processes.js';
import { entries, hostProgram, hostWithPort, processOf } from '../processes.js';
import type { Way } from './ways.js';
import { endOfThread, hangs, stuckPool, ways } from './ways.js';

interface Worker {
  readonly part: Part;
  readonly contract: Contract;
  readonly excuse: Excuse;
  readonly pid: (ground: Ground) => number;
  /** The module of a thread; a process has none. */
  readonly thread?: string;
  /** Of a process: as births.ts knows it. */
  readonly entry?: string;
}

/** A worker that hangs is ended after 2 s and ready again within the third: the targets wait for the one that commands them. */
const backMs = 3_000;

const nut = (ground: Ground): number => hostWithPort(ground.daemon.pid, ground.wires.rack.callers);
const outbound = (ground: Ground): number => hostWithPort(ground.daemon.pid, ground.wires.broker.callers);
const process = (part: OwnProcess, contract: Contract, excuse: Excuse = {}): Worker => ({
  part,
  contract,
  excuse,
  pid: (ground) => processOf(ground.daemon.pid, part),
  entry: entries[part],
});

const threads: readonly Worker[] = [
  {
    part: 'poller',
    contract: pollerContract,
    excuse: { polls: ['rack'] },
    pid: nut,
    thread: 'workers/poller/',
  },
  { part: 'mqtt', contract: mqttContract, excuse: {}, pid: outbound, thread: 'workers/mqtt/' },
  { part: 'notify', contract: notifyContract, excuse: {}, pid: outbound, thread: 'workers/notify/' },
];
const processes: readonly Worker[] = [
  process('remote', remoteContract, { again: true, lateMs: backMs }),
  process('storage', storageContract),
  process('api', apiContract, { api: true }),
  process('prober', proberContract),
  process('log', logContract),
];
/** What hosts threads speaks no contract of its own that could be broken otherwise than by its threads. */
const hosts: readonly Worker[] = [
  { part: 'nut', contract: pollerContract, excuse: { polls: ['rack'] }, pid: nut, entry: hostProgram },
  { part: 'outbound', contract: mqttContract, excuse: {}, pid: outbound, entry: hostProgram },
];

const worded: Partial<Record<Part, string>> = {
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
  ...threads.flatMap((worker) => [endOfThread, ...ways].map((way) => gone(worker, way))),
  ...processes.flatMap((worker) => [
    killed(worker),
    ...ways.map((way) => gone(worker, way)),
    gone(worker, stuckPool),
    dying(worker, 'at-start'),
    dying(worker, 'soon'),
  ]),
  ...hosts.flatMap((worker) => [
    killed(worker),
    gone(worker, hangs),
    dying(worker, 'at-start'),
    dying(worker, 'soon'),
  ]),
];

function named({ part }: Worker, does: string): string {
  return `${worded[part] ?? `the ${part} worker`} ${does}`;
}

function lost({ part }: Worker): Pick<Fault, 'costs'> {
  if (part === 'nut') return { costs: 'poller' };
  return { costs: part === 'outbound' ? 'mqtt' : part };
}

function gone(worker: Worker, way: Way): Fault {
  const [event] = Object.keys(worker.contract.events);
  return {
    name: named(worker, way.does),
    part: worker.part,
    excuse: worker.excuse,
    lastsMs: way.survives === true ? stuckMs : 0,
    stays: way.survives === true,
    ...(way.survives === true ? {} : lost(worker)),
    inflict: async (ground) => {
      const fifo = join(ground.directory, 'fifo');
      execFileSync('sh', ['-c', `[ -p ${fifo} ] || mkfifo -m 666 ${fifo}`]);
      await plantInside(worker.pid(ground), way.code(event, fifo), worker.thread);
      // Who cannot live on is ended by its supervisor, stuck as it is.
      return () => (way.survives === true ? letGo(fifo) : undefined);
    },
  };
}

/** Who waits for a writer has one, and reads to the end. */
function letGo(fifo: string): void {
  closeSync(openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK));
}

function killed(worker: Worker): Fault {
  return {
    name: named(worker, 'is killed'),
    part: worker.part,
    excuse: worker.excuse,
    lastsMs: 0,
    stays: false,
    ...lost(worker),
    inflict: (ground) => {
      kill(worker.pid(ground));
      return Promise.resolve(() => undefined);
    },
  };
}

function dying(worker: Worker, when: 'at-start' | 'soon'): Fault {
  const entry = worker.entry ?? '';
  // Without the worker no target can be commanded: those that must wait for it are late by what it takes.
  const late = worker.part === 'remote' ? { lateMs: loopMs + backMs } : {};
  return {
    name: named(worker, when === 'at-start' ? 'dies whenever it is started' : 'dies soon after each start'),
    part: worker.part,
    excuse: { ...worker.excuse, ...late },
    lastsMs: loopMs,
    stays: false,
    ...lost(worker),
    inflict: (ground): Promise<Heal> => {
      const pid = worker.pid(ground);
      ground.births.die(entry, when);
      kill(pid);
      return Promise.resolve(() => ground.births.live(entry));
    },
  };
}

function kill(pid: number): void {
  globalThis.process.kill(pid, 'SIGKILL');
}
