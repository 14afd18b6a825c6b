// Facts of the kernel about a process. Reads procfs synchronously; procfs never waits for a disk.
import { readFileSync, readdirSync } from 'node:fs';
import { endianness } from 'node:os';

export interface ProcessFacts {
  /** Resident MB (1024 * 1024); null when it has ended or cannot be read now. */
  readonly residentMb: (pid: number) => number | null;
  /** The name of its main thread; null for none. */
  readonly threadName: (pid: number) => string | null;
  /** Its threads by their number; null where the kernel does not report them. */
  readonly threads: (pid: number) => ReadonlyMap<number, ThreadTimes> | null;
  /** Milliseconds since boot that the hypervisor took from each processor; empty where the kernel does not report them. */
  readonly stolenMs: () => readonly number[];
}

export interface ThreadTimes {
  /** Runs, or waits for a processor. */
  readonly isRunnable: boolean;
  readonly ranMs: number;
  /** Time that it waited for a processor; a wait that has not ended is not included. */
  readonly waitedMs: number;
}

export const processFacts: ProcessFacts = { residentMb, threadName, threads, stolenMs };

/** ENOENT, ESRCH: the process has ended, which is reported elsewhere. The others are temporary; the next check is soon. */
const transientErrors = new Set(['ENOENT', 'ESRCH', 'EMFILE', 'ENFILE', 'ENOMEM']);

/** Null when it cannot be read now. */
function read(path: string): string | null {
  try {
    return readFileSync(`/proc/${path}`, 'latin1');
  } catch (error) {
    if (error instanceof Error && 'code' in error && transientErrors.has(String(error.code))) return null;
    throw error;
  }
}

/** `AT_PAGESZ` of getauxval(3). */
const pageSizeTag = 6n;

let pageBytes: number | undefined;

function residentMb(pid: number): number | null {
  const text = read(`${String(pid)}/statm`);
  if (text === null) return null;
  pageBytes ??= pageSize();
  const pages = Number(text.split(' ')[1]);
  return Number.isFinite(pages) ? (pages * pageBytes) / (1024 * 1024) : null;
}

function pageSize(): number {
  const vector = readFileSync('/proc/self/auxv');
  const word = (offset: number): bigint =>
    endianness() === 'LE' ? vector.readBigUInt64LE(offset) : vector.readBigUInt64BE(offset);
  for (let offset = 0; offset + 16 <= vector.length; offset += 16)
    if (word(offset) === pageSizeTag) return Number(word(offset + 8));
  return 4096;
}

function threadName(pid: number): string | null {
  return read(`${String(pid)}/comm`);
}

function threads(pid: number): ReadonlyMap<number, ThreadTimes> | null {
  const folder = `${String(pid)}/task`;
  try {
    const found = new Map<number, ThreadTimes>();
    for (const thread of readdirSync(`/proc/${folder}`)) {
      const state = /\) ([A-Za-z])/.exec(read(`${folder}/${thread}/stat`) ?? '')?.[1];
      const times = read(`${folder}/${thread}/schedstat`)?.split(' ').map(Number);
      const [ranNs = NaN, waitedNs = NaN] = times ?? [];
      if (state !== undefined && Number.isFinite(ranNs + waitedNs))
        found.set(Number(thread), {
          isRunnable: state === 'R',
          ranMs: ranNs / 1e6,
          waitedMs: waitedNs / 1e6,
        });
    }
    return found;
  } catch {
    // A kernel without CONFIG_SCHED_INFO, or a procfs that hides other users' processes.
    return null;
  }
}

/** The kernel's USER_HZ, 100 on every Linux that Node runs on. */
const msPerTick = 10;
/** The column of a `cpuN` line of /proc/stat after its name. */
const stealColumn = 8;

function stolenMs(): readonly number[] {
  const lines = (read('stat') ?? '').split('\n').filter((line) => /^cpu\d/.test(line));
  return lines.map((line) => Number(line.split(' ')[stealColumn] ?? 0) * msPerTick);
}
