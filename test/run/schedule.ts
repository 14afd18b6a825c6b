// Runs jobs longest first, as many side by side as the processors allow: a job that waits runs beside those that compute.
import type { Cost } from './cost.js';

export interface Job {
  readonly name: string;
  /** As it was last measured. */
  readonly cost: Cost;
}

export interface Bounds {
  readonly processors: number;
  readonly jobs: number;
}

/** One that waits for seconds still starts programs, all at once. */
const leastShare = 0.1;

/** Of one processor, on average. A job on several threads counts as one that fills a processor, else it would never start. */
export function shareOf({ cost: { wall, cpu } }: Job): number {
  return Math.min(1, Math.max(leastShare, cpu / wall));
}

export function longestFirst<J extends Job>(jobs: readonly J[]): readonly J[] {
  return [...jobs].sort((a, b) => b.cost.wall - a.cost.wall);
}

/** The first that fits beside what runs; null where none does. */
export function nextJob<J extends Job>(
  waiting: readonly J[],
  running: readonly Job[],
  bounds: Bounds,
): J | null {
  if (running.length >= bounds.jobs) return null;
  const free = bounds.processors - running.reduce((sum, job) => sum + shareOf(job), 0);
  // Sums of tenths are not exact.
  return waiting.find((job) => shareOf(job) <= free + 0.001) ?? null;
}

/** Starts each job once; settles when all have ended. None starts once `ended` is aborted. */
export async function runAll<J extends Job>(
  jobs: readonly J[],
  bounds: Bounds,
  start: (job: J) => Promise<void>,
  ended: AbortSignal,
): Promise<void> {
  const waiting = [...longestFirst(jobs)];
  const running = new Map<J, Promise<void>>();
  for (;;) {
    for (;;) {
      const job = ended.aborted ? null : nextJob(waiting, [...running.keys()], bounds);
      if (job === null) break;
      waiting.splice(waiting.indexOf(job), 1);
      running.set(
        job,
        start(job).finally(() => running.delete(job)),
      );
    }
    if (running.size === 0) return;
    await Promise.race(running.values());
  }
}
