// Tests mutants in parallel, one per sandbox at a time, each within a time limit.
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutants.js';
import { compiled } from './mutants.js';
import { allFor, isTest, quickFor, testOf } from './relevant.js';
import { Sandbox, repository } from './sandbox.js';
import type { Series, SeriesMessage } from './series.js';
import type { TrialMessage } from './trial.js';

/** Without progress for this long, a mutant is in an endless loop, even on a busy machine. */
const limitMs = 60_000;
const endless = 'it never ends';

export interface Outcome {
  readonly mutant: Mutant;
  /** The test or the promise that caught it; null for a survivor. */
  readonly caughtBy: string | null;
}

/** Mutants that share a process. For fewer than the minimum the final check of the original costs too much. */
const longestSeries = 40;
const leastSeries = 5;

/** Reports the outcomes in the order of their end. Resolves to what caught a mutant and was not seen to pass without one. */
export async function tryAll(
  mutants: readonly Mutant[],
  jobs: number,
  onOutcome: (outcome: Outcome) => void,
): Promise<readonly string[]> {
  const waiting = seriesOf(mutants);
  const sound = new Set<string>();
  const catchers = new Set<string>();
  const note = (outcome: Outcome): void => {
    const by = testOf(outcome.mutant.lastCaughtBy, outcome.caughtBy);
    if (by !== null) catchers.add(by);
    onOutcome(outcome);
  };
  const job = async (): Promise<void> => {
    const place = new Sandbox();
    try {
      for (let series = waiting.shift(); series !== undefined; series = waiting.shift()) {
        if (await trySeries(place, series, note))
          for (const name of series.flatMap(firstFor)) sound.add(name);
      }
    } finally {
      place.remove();
    }
  };
  await Promise.all(Array.from({ length: jobs }, job));
  return [...catchers].filter((name) => !sound.has(name));
}

function seriesOf(mutants: readonly Mutant[]): (readonly Mutant[])[] {
  const count = Math.ceil(mutants.length / longestSeries);
  const size = Math.ceil(mutants.length / count);
  return Array.from({ length: count }, (_, index) => mutants.slice(index * size, (index + 1) * size));
}

/** First all in one process; then each survivor in its own process, or all if the first process was not sound. */
async function trySeries(
  place: Sandbox,
  mutants: readonly Mutant[],
  onOutcome: (outcome: Outcome) => void,
): Promise<boolean> {
  const caught = mutants.length < leastSeries ? null : await seriesOutcomes(place, mutants);
  for (const [index, mutant] of mutants.entries()) {
    const caughtBy = caught?.[index] ?? (await trialOf(place, mutant));
    onOutcome({ mutant, caughtBy });
  }
  return caught !== null;
}

async function trialOf(place: Sandbox, mutant: Mutant): Promise<string | null> {
  const { file, source } = mutant;
  const original = readFileSync(place.compiled(file), 'utf8');
  place.write(file, compiled(source));
  const caughtBy = await trial(place, testsOf([mutant]));
  place.write(file, original);
  return caughtBy;
}

/** All that can catch these mutants. */
export function testsOf(mutants: readonly Mutant[]): readonly string[] {
  return [...new Set(mutants.flatMap((mutant) => [...firstFor(mutant), ...allFor(mutant.file)]))];
}

/** What runs in the shared process. */
function firstFor({ file, lastCaughtBy }: Mutant): readonly string[] {
  return lastCaughtBy !== null && isTest(lastCaughtBy) ? [lastCaughtBy] : quickFor(file);
}

/** What caught each; null if unbroken files fail in the end. */
async function seriesOutcomes(
  place: Sandbox,
  mutants: readonly Mutant[],
): Promise<readonly (string | null)[] | null> {
  const caught: (string | null)[] = [];
  const tried = mutants.map((mutant) => ({ file: mutant.file, names: firstFor(mutant) }));
  const join = place.part(mutants.map(({ file, source }) => ({ file, text: compiled(source) })));
  try {
    while (caught.length < mutants.length) {
      const series: Series = { mutants: tried, from: caught.length };
      const isSound = await oneSeries(place, series, (by) => caught.push(by));
      if (isSound === null) caught.push(endless);
      else if (!isSound) return null;
    }
    return caught;
  } finally {
    join();
  }
}

/** Null: it hung at the mutant after the last one reported. */
async function oneSeries(
  place: Sandbox,
  series: Series,
  tried: (caughtBy: string | null) => void,
): Promise<boolean | null> {
  let isSound: boolean | null = null;
  const error = await inProcess(place, 'series.ts', series, (message: SeriesMessage) => {
    if (message.kind === 'tried') tried(message.caughtBy);
    if (message.kind === 'over') ({ isSound } = message);
  });
  return error === null ? isSound : false;
}

/** Which of these tests catches the unchanged program: null, unless one fails without a mutant. */
export async function tryUnbroken(names: readonly string[]): Promise<string | null> {
  if (names.length === 0) return null;
  const place = new Sandbox();
  try {
    return await trial(place, names);
  } finally {
    place.remove();
  }
}

export function sourceOf(file: string): string {
  return readFileSync(join(repository, file), 'utf8');
}

/** Which of these tests catches what is in the sandbox. */
async function trial(place: Sandbox, names: readonly string[]): Promise<string | null> {
  let caughtBy: string | null = endless;
  const error = await inProcess(place, 'trial.ts', names, (message: TrialMessage) => {
    if (message.kind === 'over') ({ caughtBy } = message);
  });
  return error === null ? caughtBy : `it throws: ${error.message}`;
}

/** Ends with the message `over`, with the process, or when it makes no progress. */
function inProcess<Message extends { readonly kind: string }>(
  place: Sandbox,
  program: string,
  task: object,
  onMessage: (message: Message) => void,
): Promise<Error | null> {
  return new Promise((resolve) => {
    const child = fork(place.compiled(`test/mutation/${program}`), {
      cwd: place.root,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    const end = () => void child.kill('SIGKILL');
    const timer = setTimeout(end, limitMs);
    let complaint = '';
    child.stderr?.on('data', (text: Buffer) => {
      complaint = (complaint + text.toString()).slice(-500);
    });
    child.on('message', (message: Message) => {
      timer.refresh();
      onMessage(message);
      if (message.kind === 'over') end();
    });
    child.once('exit', (code) => {
      clearTimeout(timer);
      // Ended from here: after its last message, or because it was silent.
      resolve(code === null ? null : new Error(`it ended: ${complaint}`));
    });
    child.send(task);
  });
}
