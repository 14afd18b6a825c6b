// The three ways to a worker, each as something a life can be made of.
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../shared/runtime/clock.js';
import { loggerTo } from '../../shared/runtime/log.js';
import { memoryPorts } from '../../shared/runtime/memory-port.js';
import { processFacts } from '../../supervisor/host/process-facts.js';
import { AwakeClock } from '../../supervisor/supervision/awake-clock.js';
import { WorkerHostInstance } from '../../supervisor/supervision/worker-host-instance.js';
import { processLauncher } from '../../supervisor/supervision/spawn.js';
import type { WorkerInstance } from '../../supervisor/supervision/worker-instance.js';
import { runMisbehaving } from '../fixtures/workers/misbehaviour.js';

const entry = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/workers/${name}.js`, import.meta.url));
const log = loggerTo('test', systemClock, () => undefined);
const launch = processLauncher({ log, accounts: new Map(), asRoot: false });

export type Connection = () => WorkerInstance;

function inMemory(): WorkerInstance {
  const [ours, theirs] = memoryPorts();
  let tell = (): void => undefined;
  const end = (): void => {
    theirs.close();
    tell();
  };
  runMisbehaving({ port: theirs, end });
  return {
    port: ours,
    pid: process.pid,
    // As when a process is killed: the worker notices nothing but the end of its link.
    kill: () => ours.close(),
    onEnd: (listener) => {
      tell = () => {
        tell = () => undefined;
        setImmediate(() => listener({ reason: 'ended', message: 'it ended', fault: 'own' }));
      };
    },
  };
}

function toMember(): WorkerInstance {
  const host = new WorkerHostInstance(
    'test',
    { entry: entry('host'), user: null, memoryLimitMb: 200 },
    {
      clock: systemClock,
      awakeClock: new AwakeClock(systemClock),
      processes: processFacts,
      log,
      observer: {
        workerReady: () => undefined,
        workerLost: () => undefined,
        processLost: () => undefined,
        log: () => undefined,
      },
      launch,
      nextMember: () => 1,
    },
    () => undefined,
  );
  return host.launch('tested');
}

function toProcess(): WorkerInstance {
  return launch({
    name: 'echo:test',
    entry: entry('misbehaving'),
    user: null,
    heapLimitMb: 100,
    inheritStderr: false,
    writesAsRoot: false,
  });
}

export const connections: readonly { readonly kind: string; readonly connect: Connection }[] = [
  { kind: 'in memory', connect: inMemory },
  { kind: 'to a member of a process', connect: toMember },
  { kind: 'to a process', connect: toProcess },
];
