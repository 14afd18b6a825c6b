// Tests one mutant in a thread with freshly loaded modules, until something fails. Returns what caught the mutant, or null.
import { parentPort, workerData } from 'node:worker_threads';
import { failing } from './tests.js';

export type TrialMessage =
  | { readonly kind: 'goesOn' }
  | { readonly kind: 'over'; readonly caughtBy: string | null };

const over: TrialMessage = {
  kind: 'over',
  caughtBy: await failing(workerData as readonly string[]).catch((error: unknown) =>
    `it does not even start: ${String(error)}`.slice(0, 200),
  ),
};
parentPort?.postMessage(over);
