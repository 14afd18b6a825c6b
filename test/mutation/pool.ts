// Tests mutants in parallel, one per sandbox at a time, each within a time limit.
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import type { Mutant } from './mutants.js';
import { compiled } from './mutants.js';
import { Sandbox, repository } from './sandbox.js';
import type { Series, SeriesMessage } from './series.js';
import type { TrialMessage } from './trial.js';

/** Without progress for this long, a mutant is in an endless loop, even on a busy machine. */
const limitMs = 60_000;

export interface Outcome {
  readonly mutant: Mutant;
  /** The test or the promise that caught it; null for a survivor. */
  readonly caughtBy: string | null;
}

/** Mutants of one file that share a thread. For fewer than the minimum the final check of the original costs too much. */
const longestSeries = 25;
const leastSeries = 5;

/** Reports the outcomes in the order of their end. */
export async function tryAll(
  mutants: readonly Mutant[],
  jobs: number,
  onOutcome: (outcome: Outcome) => void,
): Promise<void> {
  const waiting = seriesOf(mutants);
  const job = async (): Promise<void> => {
    const place = new Sandbox();
    try {
      for (let series = waiting.shift(); series !== undefined; series = waiting.shift()) {
        await trySeries(place, series, onOutcome);
      }
    } finally {
      place.remove();
    }
  };
  await Promise.all(Array.from({ length: jobs }, job));
}

function seriesOf(mutants: readonly Mutant[]): (readonly Mutant[])[] {
  const files = [...new Set(mutants.map(({ file }) => file))];
  return files.flatMap((file) => {
    const own = mutants.filter((mutant) => mutant.file === file);
    const starts = own.flatMap((_, index) => (index % longestSeries === 0 ? [index] : []));
    return starts.map((start) => own.slice(start, start + longestSeries));
  });
}

/** First all in one thread; then each survivor in its own thread, or all if the first thread failed its final check. */
async function trySeries(
  place: Sandbox,
  mutants: readonly Mutant[],
  onOutcome: (outcome: Outcome) => void,
): Promise<void> {
  const [first] = mutants;
  if (first === undefined) return;
  const { file } = first;
  const caught = mutants.length < leastSeries ? [] : await seriesOutcomes(place, file, mutants);
  const original = readFileSync(place.compiled(file), 'utf8');
  for (const [index, mutant] of mutants.entries()) {
    let caughtBy = caught[index] ?? null;
    if (caughtBy === null) {
      place.write(file, compiled(mutant.source));
      caughtBy = await trial(place, file);
      place.write(file, original);
    }
    onOutcome({ mutant, caughtBy });
  }
}

/** What caught each; empty if the original file fails in the end. */
async function seriesOutcomes(
  place: Sandbox,
  file: string,
  mutants: readonly Mutant[],
): Promise<readonly (string | null)[]> {
  const to = mutants.length;
  const caught: (string | null)[] = [];
  const sources = mutants.map(({ source }) => compiled(source));
  const join = place.part(file, sources);
  try {
    while (caught.length < to) {
      const isSound = await oneSeries(place, { file, from: caught.length, to }, (by) => caught.push(by));
      if (isSound === null) caught.push('it turns in circles');
      else if (!isSound) return [];
    }
    return caught;
  } finally {
    join();
  }
}

/** Null: it hung at the mutant after the last one reported. */
function oneSeries(
  place: Sandbox,
  series: Series,
  tried: (caughtBy: string | null) => void,
): Promise<boolean | null> {
  return new Promise((resolve) => {
    const worker = new Worker(pathToFileURL(place.compiled('test/mutation/series.ts')), {
      workerData: series,
      stdout: true,
      stderr: true,
    });
    const timer = setTimeout(() => end(null), limitMs);
    const end = (isSound: boolean | null) => {
      clearTimeout(timer);
      void worker.terminate().then(() => resolve(isSound));
    };
    worker.on('message', (message: SeriesMessage) => {
      timer.refresh();
      if (message.kind === 'tried') tried(message.caughtBy);
      else if (message.kind === 'over') end(message.isSound);
    });
    worker.once('error', () => end(false));
  });
}

/** What catches the unchanged program: null, unless the tests fail without a mutant. */
export async function tryUnbroken(): Promise<string | null> {
  const place = new Sandbox();
  try {
    return await trial(place, '');
  } finally {
    place.remove();
  }
}

export function sourceOf(file: string): string {
  return readFileSync(join(repository, file), 'utf8');
}

/** `file`: the mutated source; empty for none. */
function trial(place: Sandbox, file: string): Promise<string | null> {
  return new Promise((resolve) => {
    const worker = new Worker(pathToFileURL(place.compiled('test/mutation/trial.ts')), {
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
