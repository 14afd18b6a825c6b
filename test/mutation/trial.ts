// Tests one mutant in a thread with freshly loaded modules: the tests of policy, then a short simulation, until something
// fails. Returns what caught the mutant, or null.
import { parentPort, workerData } from 'node:worker_threads';
import { broken, relevantTestsOf, failing, loaded, properties } from './tests.js';

export type TrialMessage =
  | { readonly kind: 'goesOn' }
  | { readonly kind: 'over'; readonly caughtBy: string | null };

const shortRuns = 40;
const longRuns = 120;

async function caughtBy(): Promise<string | null> {
  const { own, quick, isPlayed } = relevantTestsOf(String(workerData));
  const title = (await failing(await loaded(own))) ?? (await failing(await loaded(quick)));
  if (title !== null || !isPlayed) return title;
  return (
    (await broken(0, shortRuns)) ??
    (await failing(await loaded(properties))) ??
    (await broken(shortRuns, longRuns))
  );
}

const over: TrialMessage = {
  kind: 'over',
  caughtBy: await caughtBy().catch((error: unknown) =>
    `it does not even start: ${String(error)}`.slice(0, 200),
  ),
};
parentPort?.postMessage(over);
