// Tries mutants side by side, each place with one at a time, each trial within its time.
import { readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import type { Mutant } from './mutants.js';
import { compiled } from './mutants.js';
import { Sandbox, repository } from './sandbox.js';
import type { Series, SeriesMessage } from './series.js';
import type { TrialMessage } from './trial.js';

/** No test and no run of the simulation takes longer than this, however busy the machine is: it turns in circles. */
const limitMs = 60_000;

export interface Outcome {
  readonly mutant: Mutant;
  /** The test or the promise that has caught it; null for a survivor. */
  readonly caughtBy: string | null;
}

/** So many mutants of one file share a thread; with fewer the last look at the sound file costs more than it saves. */
const longestSeries = 25;
const leastSeries = 5;

/** In the order in which they end. */
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

/** Those of one file side by side. */
function seriesOf(mutants: readonly Mutant[]): (readonly Mutant[])[] {
  const files = [...new Set(mutants.map(({ file }) => file))];
  return files.flatMap((file) => {
    const own = mutants.filter((mutant) => mutant.file === file);
    const starts = own.flatMap((_, index) => (index % longestSeries === 0 ? [index] : []));
    return starts.map((start) => own.slice(start, start + longestSeries));
  });
}

/** First all in one thread; those that nothing caught there, or all when that thread cannot be trusted, each in its own. */
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

/** What has caught each; nothing at all when the sound file does not pass any more in the end. */
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

/** Null when it got stuck with the mutant after the last one that it told. */
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

/** What catches the program as it is: null, unless the tests fail without any mutant. */
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

/** `file`: the source that is broken; empty for none. */
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
