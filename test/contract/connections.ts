// The three ways to a worker, each as something a life can be made of.
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { MessageChannel, Worker } from 'node:worker_threads';
import { systemClock } from '../../shared/runtime/clock.js';
import type { ThreadData } from '../../shared/runtime/worker-runtime.js';
import { loggerTo } from '../../shared/runtime/log.js';
import { memoryPorts } from '../../shared/runtime/memory-port.js';
import { threadPort } from '../../shared/runtime/thread-port.js';
import { runWorker } from '../../shared/runtime/worker-main.js';
import type { WorkerInstance } from '../../supervisor/supervision/worker-instance.js';
import { processLauncher } from '../../supervisor/supervision/spawn.js';
import { echoBody, echoContract } from '../fixtures/workers/echo.js';
import { misbehaviour } from '../fixtures/workers/misbehaviour.js';

const entry = new URL('../fixtures/workers/misbehaving.js', import.meta.url);
const ended = { reason: 'ended', message: 'it ended', notAtFault: false } as const;

export type Connection = () => WorkerInstance;

function inMemory(): WorkerInstance {
  const [ours, theirs] = memoryPorts();
  let tell = (): void => undefined;
  const end = (): void => {
    theirs.close();
    tell();
  };
  runWorker(
    echoContract,
    (settings, context) => Promise.resolve(echoBody(settings, context, misbehaviour(theirs))),
    { port: theirs, end },
  );
  return {
    port: ours,
    pid: process.pid,
    // As when a process is killed: the worker notices nothing but the end of its link.
    kill: () => ours.close(),
    onEnd: (listener) => {
      tell = () => {
        tell = () => undefined;
        setImmediate(() => listener(ended));
      };
    },
  };
}

function toThread(): WorkerInstance {
  const { port1, port2 } = new MessageChannel();
  const worker = new Worker(entry, {
    workerData: { shared: false, link: port2 } satisfies ThreadData,
    transferList: [port2],
  });
  return {
    port: threadPort(port1),
    pid: process.pid,
    kill: () => void worker.terminate(),
    onEnd: (listener) => void once(worker, 'exit').then(() => listener(ended)),
  };
}

function toProcess(): WorkerInstance {
  const log = loggerTo('test', systemClock, () => undefined);
  const launch = processLauncher({ log, accounts: new Map(), asRoot: false });
  return launch({
    name: 'echo:test',
    entry: fileURLToPath(entry),
    user: null,
    heapLimitMb: 100,
    inheritStderr: false,
  });
}

export const connections: readonly { readonly kind: string; readonly connect: Connection }[] = [
  { kind: 'in memory', connect: inMemory },
  { kind: 'to a thread', connect: toThread },
  { kind: 'to a process', connect: toProcess },
];
