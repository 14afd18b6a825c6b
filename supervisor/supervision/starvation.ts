// How long a process was ready to run and had no processor, because other processes or the hypervisor used them. That time
// does not count against a worker. Where the kernel does not report it, it is 0.
import type { ProcessFacts, ThreadTimes } from '../host/process-facts.js';
import type { AwakeClock } from './awake-clock.js';

type Threads = ReadonlyMap<number, ThreadTimes>;

interface Sample {
  readonly atMs: number;
  readonly threads: Threads;
  readonly stolenMs: readonly number[];
}

export class Starvation {
  readonly #facts: ProcessFacts;
  readonly #time: Pick<AwakeClock, 'nowMs'>;
  readonly #pid: number;
  #last: Sample | null = null;
  /** By thread: the counted part of a wait that has not ended. */
  #counted = new Map<number, number>();

  constructor(pid: number, facts: ProcessFacts, time: Pick<AwakeClock, 'nowMs'>) {
    this.#pid = pid;
    this.#facts = facts;
    this.#time = time;
  }

  /** Awake ms without a processor since the last call; 0 at the first. */
  sinceLastMs(): number {
    const threads = this.#facts.threads(this.#pid);
    if (threads === null) return 0;
    const before = this.#last;
    const now = { atMs: this.#time.nowMs(), threads, stolenMs: this.#facts.stolenMs() };
    this.#last = now;
    if (before === null) return 0;
    const elapsedMs = now.atMs - before.atMs;
    const stolen = now.stolenMs.map((ms, place) => ms - (before.stolenMs[place] ?? ms));
    const waits = [...threads].map(([thread, times]) => this.#wait(thread, times, before.threads, elapsedMs));
    return Math.min(elapsedMs, Math.max(0, ...stolen, ...waits));
  }

  /** Any thread counts: the main thread may wait for a thread without a processor. */
  #wait(thread: number, now: ThreadTimes, all: Threads, elapsedMs: number): number {
    const before = all.get(thread);
    if (before === undefined) return 0;
    const counted = this.#counted.get(thread) ?? 0;
    const waitedMs = now.waitedMs - before.waitedMs;
    // The kernel adds a wait to its sum when it ends.
    if (waitedMs > 0) {
      this.#counted.delete(thread);
      return Math.max(0, waitedMs - counted);
    }
    if (!now.isRunnable || !before.isRunnable || now.ranMs > before.ranMs) return 0;
    this.#counted.set(thread, counted + elapsedMs);
    return elapsedMs;
  }
}
