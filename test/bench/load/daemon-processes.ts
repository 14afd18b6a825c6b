// The processes of a running daemon by name, and the cost of each: CPU time, memory, threads, open files.
import { readFileSync, readdirSync } from 'node:fs';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { descendants, isAlive, memoryOf, processRow } from '../../fixtures/processes.js';
import type { Figure } from '../table.js';

export interface DaemonProcess {
  readonly name: string;
  readonly pid: number;
}

/** Of processes of pollers: the one of the UPSes that feed this host starts first. */
const pollers = ['nut-local', 'nut-1', 'nut-2', 'nut-3', 'nut-4'];

/** The supervisor and its workers that run now. */
export function processesOf(daemon: Pick<RunningDaemon, 'pid'>): readonly DaemonProcess[] {
  const left = [...pollers];
  const nameOf = (worker: string): string => (worker === 'poller' ? (left.shift() ?? 'nut') : worker);
  const workers = [...descendants(daemon.pid)]
    .sort((a, b) => a.pid - b.pid)
    .flatMap(({ pid, command }) => {
      const worker = /\/workers\/([a-z]+)\/[a-z]+\.js/.exec(command)?.[1];
      return worker === undefined ? [] : [{ name: nameOf(worker), pid }];
    });
  return [{ name: 'supervisor', pid: daemon.pid }, ...workers];
}

/** CPU seconds so far; NaN for a process that has ended. */
export function cpuSecondsOf(pid: number): number {
  return processRow(pid)?.cpuSeconds ?? NaN;
}

export interface Holdings {
  readonly pssMb: number;
  /** Private anonymous memory: heaps, buffers, stacks. Unlike PSS it does not depend on other processes. */
  readonly anonymousMb: number;
  readonly threads: number;
  readonly openFiles: number;
}

const nothing: Holdings = { pssMb: NaN, anonymousMb: NaN, threads: NaN, openFiles: NaN };

/** Memory, threads and files of a process; NaN for one that has ended. */
export function holdingsOf(pid: number): Holdings {
  const count = (what: string): number => readdirSync(`/proc/${String(pid)}/${what}`).length;
  try {
    const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
    const anonymousMb = Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? NaN) / 1024;
    return { pssMb: memoryOf(pid).pssMb, anonymousMb, threads: count('task'), openFiles: count('fd') };
  } catch (error) {
    // The process may have ended during the reads.
    if (isAlive(pid)) throw error;
    return nothing;
  }
}

/** All worker restarts in the daemon's log. */
export function restartsIn(log: string): readonly string[] {
  return log.split('\n').flatMap((line) => /WORKER_RESTARTED: (.*)/.exec(line)?.[1] ?? []);
}

export function restartsFigure(restarts: readonly string[]): Figure {
  return {
    what: 'workers that were restarted',
    value: String(restarts.length),
    against: restarts[0] ?? 'goal: none',
  };
}
