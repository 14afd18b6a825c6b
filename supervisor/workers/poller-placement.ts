// Where the poller of a UPS lives: in which process, and whether in a thread of its own. Pure.

export interface Place {
  readonly process: string;
  /** Pollers of one lane share a thread; null for a thread of its own. */
  readonly lane: string | null;
}

/** The process of the UPSes that power this host: no other UPS can end it. */
const localProcess = 'nut-local';

/**
 * In each of the other processes so many UPSes have a thread of their own: 64 with the usual four processes. A thread is
 * 8 to 13 MB and a tenth of a second of processor; 1,000 threads would take some 10 GB, and two cores had started 590
 * after 160 s. A process costs 30 MB and 0.2 s, so a further one is started only when the ones before it are full.
 */
const ownThreads = 16;
/** The UPSes beyond those share so many threads in each process: 30 to a thread with 1,000 UPSes. */
const lanes = 8;

/**
 * The place of one more poller: a thread of its own in the first process that has room for one, else a lane of the
 * process with the fewest pollers. UPSes that power this host have one process for them, the others at most `maxPollers`. `occupied`
 * holds the place of every poller that already has one; those never move.
 */
export function placeFor(occupied: readonly Place[], isLocal: boolean, maxPollers: number): Place {
  const others = Array.from({ length: maxPollers }, (_, index) => `nut-${String(index + 1)}`);
  const processes = isLocal ? [localProcess] : others;
  const inProcess = (name: string) => occupied.filter(({ process }) => process === name);
  const hasRoom = (name: string) => inProcess(name).filter(({ lane }) => lane === null).length < ownThreads;
  const roomy = processes.find(hasRoom);
  if (roomy !== undefined) return { process: roomy, lane: null };
  const process = emptiest(processes, (name) => inProcess(name).length);
  const names = Array.from({ length: lanes }, (_, index) => `${process}/${String(index + 1)}`);
  return {
    process,
    lane: emptiest(names, (name) => occupied.filter(({ lane }) => lane === name).length),
  };
}

/** The first of those with the lowest count. */
function emptiest(names: readonly string[], count: (name: string) => number): string {
  const counts = names.map(count);
  return names[counts.indexOf(Math.min(...counts))] ?? '';
}
