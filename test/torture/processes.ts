// Finds the process of each worker of a daemon: by its program, and the processes of pollers by the connections they hold.
import { descendants, holdsSocket, sockets } from '../fixtures/processes.js';
import type { OwnProcess } from './workers.js';
import { entryOf, ownProcesses } from './workers.js';

/** Throws when there is none. */
export function processOf(daemon: number, worker: OwnProcess): number {
  return only(processesOf(daemon, worker), worker);
}

/** None between the end of a worker and its restart. */
export function processesOf(daemon: number, worker: OwnProcess): readonly { readonly pid: number }[] {
  return descendants(daemon).filter(({ command }) => command.endsWith(`/workers/${entryOf(worker)}`));
}

/** The process of pollers that holds, or does not hold, a connection to this local port. */
export function pollersWith(daemon: number, port: number, held = true): number {
  const connected = sockets().filter(({ remotePort }) => remotePort === port);
  const pollers = descendants(daemon).filter(({ command }) =>
    command.endsWith(`/workers/${entryOf('poller')}`),
  );
  return only(
    pollers.filter(({ pid }) => connected.some((socket) => holdsSocket(pid, socket)) === held),
    `pollers ${held ? 'with' : 'without'} a connection to port ${String(port)}`,
  );
}

/** All worker processes, including shells that have not yet executed one. */
export function workersOf(daemon: number): readonly number[] {
  return descendants(daemon).map(({ pid }) => pid);
}

/** The command lines of all workers below this program, also of killed daemons. */
export function workersLeft(): readonly string[] {
  const programs = [...ownProcesses, 'poller' as const].map((worker) => `/workers/${entryOf(worker)}`);
  return descendants(process.pid)
    .map(({ command }) => command)
    .filter((command) => programs.some((program) => command.endsWith(program)));
}

function only(found: readonly { readonly pid: number }[], what: string): number {
  const pid = found[0]?.pid;
  if (pid === undefined) throw new Error(`the daemon has no process for ${what}`);
  return pid;
}
