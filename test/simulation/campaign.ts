// Many runs on several threads: hands out the numbers of the runs in blocks and adds up what comes back.
import { Worker } from 'node:worker_threads';
import { add, blankTally } from './tally.js';
import type { Tally } from './tally.js';

/** Small enough that no thread is left with work when the others have none. */
const runsInBlock = 25;

/** A run leaves much and keeps nothing: with room for it the collector takes a sixth less of the time. */
const youngMb = 48;

export interface CampaignOrder {
  readonly seed: number;
  readonly runs: number;
  /** Number of the first run; 0 when left out. */
  readonly from?: number;
  /** Broken promises after which no further block is begun; 1 when left out. */
  readonly mostBroken?: number;
  readonly jobs: number;
  /** No block is begun after this many ms. */
  readonly limitMs: number;
  /** Told after every block. */
  readonly progress?: (tally: Tally) => void;
  /** The program of a thread, for those who want another one. */
  readonly entry?: URL;
}

export interface Block {
  readonly seed: number;
  readonly from: number;
  readonly to: number;
}

/** Ends early at the block with the last broken promise that is asked for. Rejects when a thread dies: a run has thrown. */
export async function campaign(order: CampaignOrder): Promise<Tally> {
  const { seed, from: first = 0, mostBroken = 1, jobs, limitMs, progress } = order;
  const end = first + order.runs;
  const total = blankTally();
  const startedMs = performance.now();
  let next = first;
  const block = (): Block | null => {
    const isEnough = total.broken.length >= mostBroken || performance.now() - startedMs > limitMs;
    if (next >= end || isEnough) return null;
    const from = next;
    next = Math.min(end, next + runsInBlock);
    return { seed, from, to: next };
  };
  const thread = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const entry = order.entry ?? new URL('./campaign-thread.js', import.meta.url);
      const worker = new Worker(entry, { resourceLimits: { maxYoungGenerationSizeMb: youngMb } });
      const go = () => {
        const work = block();
        if (work === null) void worker.terminate();
        else worker.postMessage(work);
      };
      worker.on('message', (tally: Tally) => {
        add(total, tally);
        progress?.(total);
        go();
      });
      worker.once('error', reject);
      worker.once('exit', () => resolve());
      go();
    });
  await Promise.all(Array.from({ length: jobs }, thread));
  total.broken.sort((a, b) => a.run - b.run);
  return total;
}
