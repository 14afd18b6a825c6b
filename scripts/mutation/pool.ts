// Tries mutants side by side, each place with one at a time, each trial within its time.
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import type { Mutant } from './mutants.js';
import { compiled } from './mutants.js';
import { Place, repository } from './place.js';
import type { TrialMessage } from './trial.js';

/** No test and no run of the simulation takes longer than this, however busy the machine is: it turns in circles. */
const limitMs = 60_000;

export interface Outcome {
  readonly mutant: Mutant;
  /** The test or the promise that has caught it; null for a survivor. */
  readonly caughtBy: string | null;
}

/** In the order in which they end. */
export async function tryAll(
  mutants: readonly Mutant[],
  jobs: number,
  told: (outcome: Outcome) => void,
): Promise<void> {
  let next = 0;
  const job = async (): Promise<void> => {
    const place = new Place();
    try {
      for (let mutant = mutants[next++]; mutant !== undefined; mutant = mutants[next++]) {
        const original = readFileSync(place.compiled(mutant.file), 'utf8');
        place.write(mutant.file, compiled(mutant.source));
        told({ mutant, caughtBy: await trial(place, mutant.file) });
        place.write(mutant.file, original);
      }
    } finally {
      place.remove();
    }
  };
  await Promise.all(Array.from({ length: jobs }, job));
}

/** What catches the program as it is: null, unless the tests fail without any mutant. */
export async function tryUnbroken(): Promise<string | null> {
  const place = new Place();
  try {
    return await trial(place, '');
  } finally {
    place.remove();
  }
}

export function sourceOf(file: string): string {
  return readFileSync(join(repository, file), 'utf8');
}

/** `file`: the source that is broken; empty for none. */
function trial(place: Place, file: string): Promise<string | null> {
  return new Promise((resolve) => {
    const worker = new Worker(pathToFileURL(place.compiled('scripts/mutation/trial.ts')), {
      workerData: file,
      stdout: true,
      stderr: true,
    });
    const timer = setTimeout(() => end('it turns in circles'), limitMs);
    const end = (caughtBy: string | null) => {
      clearTimeout(timer);
      void worker.terminate().then(() => resolve(caughtBy));
    };
    worker.on('message', (message: TrialMessage) => {
      if (message.kind === 'over') end(message.caughtBy);
      else timer.refresh();
    });
    worker.once('error', (error) => end(`it throws: ${error.message}`));
  });
}
