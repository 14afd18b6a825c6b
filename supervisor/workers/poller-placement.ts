// Chooses the process of a UPS's poller, and whether it gets its own thread. Pure.

export interface Place {
  readonly process: string;
  /** Pollers of one lane share a thread; null for a thread of its own. */
  readonly lane: string | null;
}

/** The process of the UPSes that power this host: no other UPS can end it. */
const localProcess = 'nut-local';

/**
 * UPSes with their own thread in each of the other processes: 64 with four processes. A thread takes 8 to 13 MB and a
 * tenth of a second of processor; 1,000 threads would take some 10 GB, and two cores had started 590 after 160 s. A
 * process costs 30 MB and 0.2 s, so the next one is started only when those before it are full.
 */
const ownThreads = 16;
/** Threads in each process that the remaining UPSes share: 30 to a thread with 1,000 UPSes. */
const lanes = 8;

/**
 * The place of one more poller: a thread of its own in the first process that has room for one, else a lane of the
 * process with the fewest pollers. UPSes that power this host have their own process, the others at most `maxPollers`.
 * `occupied`: the places of all running pollers, which never move.
 */
export function placeFor(occupied: readonly Place[], isLocal: boolean, maxPollers: number): Place {
  const others = Array.from({ length: maxPollers }, (_, index) => `nut-${String(index + 1)}`);
  const processes = isLocal ? [localProcess] : others;
  const inProcess = (name: string) => occupied.filter(({ process }) => process === name);
  const hasRoom = (name: string) => inProcess(name).filter(({ lane }) => lane === null).length < ownThreads;
  const free = processes.find(hasRoom);
  if (free !== undefined) return { process: free, lane: null };
  const process = leastUsed(processes, (name) => inProcess(name).length);
  const names = Array.from({ length: lanes }, (_, index) => `${process}/${String(index + 1)}`);
  return {
    process,
    lane: leastUsed(names, (name) => occupied.filter(({ lane }) => lane === name).length),
  };
}

function leastUsed(names: readonly string[], count: (name: string) => number): string {
  const counts = names.map(count);
  return names[counts.indexOf(Math.min(...counts))] ?? '';
}
