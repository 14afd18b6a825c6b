// Plays many runs on several threads: distributes the run numbers in blocks and adds up the figures.
import { Worker } from 'node:worker_threads';

/** Small, so that all threads finish at about the same time. */
const runsInBlock = 25;

/** A run allocates much and keeps nothing: a larger young generation saves a sixth of the time. */
const youngMb = 48;

/** The figures of runs, which are added up. */
export interface Figures {
  runs: number;
  readonly broken: { readonly run: number }[];
}

export interface CampaignOrder<T extends Figures> {
  readonly seed: number;
  readonly runs: number;
  /** Number of the first run; default 0. */
  readonly from?: number;
  /** No block starts after this many broken promises; default 1. */
  readonly mostBroken?: number;
  readonly jobs: number;
  /** No block starts after this many ms. */
  readonly limitMs: number;
  /** Called after every block. */
  readonly progress?: (tally: T) => void;
  /** The program of the threads: answers a block with its figures. */
  readonly entry: URL;
  readonly blank: () => T;
  readonly add: (into: T, part: T) => void;
}

export interface Block {
  readonly seed: number;
  readonly from: number;
  readonly to: number;
}

/** Stops early after `mostBroken` broken promises. Rejects when a thread dies, because a run has thrown. */
export async function campaign<T extends Figures>(order: CampaignOrder<T>): Promise<T> {
  const { seed, from: first = 0, mostBroken = 1, jobs, limitMs, progress } = order;
  const end = first + order.runs;
  const total = order.blank();
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
      const worker = new Worker(order.entry, { resourceLimits: { maxYoungGenerationSizeMb: youngMb } });
      const go = () => {
        const work = block();
        if (work === null) void worker.terminate();
        else worker.postMessage(work);
      };
      worker.on('message', (tally: T) => {
        order.add(total, tally);
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
