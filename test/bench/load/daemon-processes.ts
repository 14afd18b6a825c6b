// The processes of a running daemon by name, and what each costs: processor time, memory, threads, open files.
import { readFileSync, readdirSync } from 'node:fs';
import type { RunningDaemon } from '../../fixtures/running-daemon.js';
import { descendants, isAlive, memoryOf, processRow } from '../../fixtures/processes.js';
import type { Figure } from '../table.js';

export interface DaemonProcess {
  readonly name: string;
  readonly pid: number;
}

/**
 * Those that run now and stay: the supervisor and its workers. Hosts bear the number in which they were started, so that
 * `host-1` is `nut-1` of the roster unless another host was started before it.
 */
export function processesOf(daemon: Pick<RunningDaemon, 'pid'>): readonly DaemonProcess[] {
  const found: DaemonProcess[] = [{ name: 'supervisor', pid: daemon.pid }];
  let hosts = 0;
  for (const { pid, command } of [...descendants(daemon.pid)].sort((a, b) => a.pid - b.pid)) {
    const worker = /workers\/(?:([a-z]+)\/([a-z]+)|(host))\.js/.exec(command);
    if (worker === null) continue;
    const [, folder, file, host] = worker;
    if (host !== undefined) found.push({ name: `host-${String((hosts += 1))}`, pid });
    else found.push({ name: (file === 'worker' ? folder : file) ?? '', pid });
  }
  return found;
}

/** Seconds of a processor so far; NaN for a process that is gone. */
export function cpuSecondsOf(pid: number): number {
  return processRow(pid)?.cpuSeconds ?? NaN;
}

export interface Holdings {
  readonly pssMb: number;
  /** What is its own and no file: heaps, buffers, stacks. Other processes do not change it, as they do the share of PSS. */
  readonly anonymousMb: number;
  readonly threads: number;
  readonly openFiles: number;
}

const nothing: Holdings = { pssMb: NaN, anonymousMb: NaN, threads: NaN, openFiles: NaN };

/** What a process holds; NaN for one that is gone. */
export function holdingsOf(pid: number): Holdings {
  const count = (what: string): number => readdirSync(`/proc/${String(pid)}/${what}`).length;
  try {
    const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8');
    const anonymousMb = Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? NaN) / 1024;
    return { pssMb: memoryOf(pid).pssMb, anonymousMb, threads: count('task'), openFiles: count('fd') };
  } catch (error) {
    // It may have gone while it was looked at.
    if (isAlive(pid)) throw error;
    return nothing;
  }
}

/** Every restart of a worker that the daemon has logged. */
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
