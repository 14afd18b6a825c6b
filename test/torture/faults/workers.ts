// Faults of the workers: each worker with each misbehaviour.
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Contract } from '../../../shared/protocol/contract.js';
import { pollerContract } from '../../../shared/protocol/poller.js';
import { plantInside } from '../../fixtures/inspector.js';
import type { Allowance } from '../allowance.js';
import type { Fault, Heal, Part } from '../fault.js';
import type { Testbed } from '../testbed.js';
import { signal } from '../../fixtures/processes.js';
import { pollersWith, processOf } from '../processes.js';
import { entryOf, ownProcesses, ownWorkers, recoveryMs } from '../workers.js';
import type { Misbehaviour } from './misbehaviours.js';
import { stuckPool, misbehaviours } from './misbehaviours.js';

interface Worker {
  readonly part: Part;
  readonly contract: Contract;
  readonly allowance: Allowance;
  readonly pid: (testbed: Testbed) => Promise<number>;
  /** Its entry for spawn-fault.ts. */
  readonly entry: string;
}

/** `rack` is polled by the process of the UPSes that do not feed this host. */
const pollers = (part: 'nut-local' | 'nut-1', allowance: Allowance): Worker => ({
  part,
  contract: pollerContract,
  allowance,
  pid: ({ daemon, proxies }) => pollersWith(daemon.pid, proxies.rack.port, part === 'nut-1'),
  entry: entryOf('poller'),
});

const workers: readonly Worker[] = [
  pollers('nut-local', { polls: ['office'], lateMs: recoveryMs }),
  pollers('nut-1', { polls: ['hall', 'rack'] }),
  ...ownProcesses.map((part): Worker => ({
    part,
    allowance: {},
    ...ownWorkers[part],
    pid: (testbed) => processOf(testbed.daemon.pid, part),
    entry: entryOf(part),
  })),
];

const names: Partial<Record<Part, string>> = {
  'nut-local': 'the poller of this host',
  'nut-1': 'the process of the other pollers',
  mqtt: 'the MQTT worker',
  notify: 'the notification worker',
};

/** Duration on line power of a fault that otherwise lasts until the end of the case. */
const stuckMs = 5_000;
/** Long enough for three deaths: restarts come immediately, after 1 s and after 2 s. */
const loopMs = 4_000;

export const workerFaults: readonly Fault[] = workers.flatMap((worker) => [
  killFault(worker),
  ...[...misbehaviours, stuckPool].map((misbehaviour) => workerFault(worker, misbehaviour)),
  spawnFaultOf(worker, 'at-start'),
  spawnFaultOf(worker, 'soon'),
]);

function nameFor({ part }: Worker, effect: string): string {
  return `${names[part] ?? `the ${part} worker`} ${effect}`;
}

function lost({ part, contract }: Worker): Pick<Fault, 'expectedLoss'> {
  return { expectedLoss: contract === pollerContract ? 'poller' : part };
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
      await plantInside(await worker.pid(testbed), misbehaviour.code(event, fifo));
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
    inject: async (testbed) => {
      signal([await worker.pid(testbed)], 'SIGKILL');
      return () => undefined;
    },
  };
}

function spawnFaultOf(worker: Worker, when: 'at-start' | 'soon'): Fault {
  const { entry } = worker;
  // No target can be commanded without the remote worker or a reading, so commands are late by the crash loop.
  const late = worker.allowance.lateMs === undefined ? {} : { lateMs: loopMs + recoveryMs };
  return {
    name: nameFor(worker, when === 'at-start' ? 'dies at each start' : 'dies soon after each start'),
    part: worker.part,
    allowance: { ...worker.allowance, ...late },
    lastsMs: loopMs,
    persists: false,
    ...lost(worker),
    inject: async (testbed): Promise<Heal> => {
      const pid = await worker.pid(testbed);
      testbed.spawnFault.die(entry, when);
      signal([pid], 'SIGKILL');
      return () => testbed.spawnFault.live(entry);
    },
  };
}
