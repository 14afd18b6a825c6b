// The runtime of this worker: its port and how it ends. Only this file distinguishes process and thread.
import { Socket } from 'node:net';
import { MessagePort, isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { Port } from './port.js';
import { pipePort } from './pipe-port.js';
import { threadPort } from './thread-port.js';

/** The link of a worker process, next to its standard streams. */
export const linkFileDescriptor = 3;
/** The environment variable that names the supervisor's process; supervisor-guard.ts reads it too. */
export const supervisorPidVariable = 'RIDETHROUGH_SUPERVISOR';

export interface Home {
  readonly port: Port;
  /** Ends the worker immediately; everything to keep was sent. */
  readonly end: () => void;
}

/** The key under which a host hands a thread its port. */
export interface ThreadData {
  readonly link: MessagePort;
  /** Other workers share the thread: none may end it. */
  readonly shared: boolean;
}

/** Called once, at the start of a worker. Throws when no supervisor started it. */
export function ownHome(): Home {
  if (!isMainThread) return threadHome(workerData);
  if (process.env[supervisorPidVariable] === undefined)
    throw new Error(
      'a worker is started by the supervisor and does nothing by itself: run `ridethrough run`',
    );
  // Workers act on their link, not on signals: a SIGTERM to the group must not end them before the supervisor does.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'] as const)
    process.on(signal, () => undefined);
  const socket = new Socket({ fd: linkFileDescriptor, readable: true, writable: true });
  return {
    port: pipePort(socket),
    // process.exit can hang for ever behind a job in libuv's thread pool; a signal cannot.
    end: () => void process.kill(process.pid, 'SIGKILL'),
  };
}

/** Calls `settle` for every worker of this thread, the later ones too. Called once. */
export function eachHome(settle: (home: Home) => void): void {
  settle(ownHome());
  parentPort?.on('message', (data: unknown) => settle(threadHome(data)));
}

function threadHome(data: unknown): Home {
  const port = threadPort(linkOf(data));
  const shared = typeof data === 'object' && data !== null && 'shared' in data && data.shared === true;
  return { port, end: shared ? () => port.close() : () => process.exit(0) };
}

function linkOf(data: unknown): MessagePort {
  if (typeof data === 'object' && data !== null && 'link' in data && data.link instanceof MessagePort)
    return data.link;
  throw new Error('a worker thread is started by its host process, which gives it a link');
}
