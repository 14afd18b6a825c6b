// Chooses the process of a UPS's poller, and whether it gets its own thread. Pure.

export interface Place {
  readonly process: string;
  /** Pollers of one lane share a thread; null for a thread of its own. */
  readonly lane: string | null;
}

/**
 * UPSes with their own thread in each process: 64 with four processes. A thread takes 8 to 13 MB and a tenth of a second
 * of processor; 1,000 threads would take some 10 GB, and two cores had started 590 after 160 s.
 */
const ownThreads = 16;
/** Threads in each process that the remaining UPSes share: 30 to a thread with 1,000 UPSes. */
const lanes = 8;

/**
 * The place of one more poller: the process with the fewest, of at most `maxPollers`. `occupied`: the places of all running
 * pollers, which never move.
 */
export function placeFor(occupied: readonly Place[], maxPollers: number): Place {
  const processes = Array.from({ length: maxPollers }, (_, index) => `nut-${String(index + 1)}`);
  const process = leastUsed(processes, (name) => occupied.filter((other) => other.process === name).length);
  const neighbours = occupied.filter((other) => other.process === process);
  if (neighbours.filter(({ lane }) => lane === null).length < ownThreads) return { process, lane: null };
  const names = Array.from({ length: lanes }, (_, index) => `${process}/${String(index + 1)}`);
  const lane = leastUsed(names, (name) => neighbours.filter((other) => other.lane === name).length);
  return { process, lane };
}

function leastUsed(names: readonly string[], count: (name: string) => number): string {
  const counts = names.map(count);
  return names[counts.indexOf(Math.min(...counts))] ?? '';
}
