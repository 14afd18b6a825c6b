// Finds the process of each worker of a daemon: by its program, and the processes of pollers by the connections they hold.
import { descendants, holdsSocket, sockets } from '../fixtures/processes.js';
import { hasAtLeast, until } from '../fixtures/until.js';
import type { OwnProcess } from './workers.js';
import { entryOf, ownProcesses } from './workers.js';

/** Rejects when there is none, also not after the time of a restart. */
export function processOf(daemon: number, worker: OwnProcess): Promise<number> {
  return only(() => processesOf(daemon, worker));
}

/** None between the end of a worker and its restart. */
export function processesOf(daemon: number, worker: OwnProcess): readonly { readonly pid: number }[] {
  return descendants(daemon).filter(({ command }) => command.endsWith(`/workers/${entryOf(worker)}`));
}

/** The process of pollers that holds, or does not hold, a connection to this local port. */
export function pollersWith(daemon: number, port: number, held = true): Promise<number> {
  return only(() => {
    const connected = sockets().filter(({ remotePort }) => remotePort === port);
    const pollers = descendants(daemon).filter(({ command }) =>
      command.endsWith(`/workers/${entryOf('poller')}`),
    );
    return pollers.filter(({ pid }) => connected.some((socket) => holdsSocket(pid, socket)) === held);
  });
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

/** On a busy machine a worker may be restarting. */
async function only(find: () => readonly { readonly pid: number }[]): Promise<number> {
  const [first] = await until(find, hasAtLeast(1), 10_000);
  return first?.pid ?? NaN;
}
