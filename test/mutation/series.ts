// Tests many mutants of one file in one thread: only the mutated file is loaded each time, and its exports replace the
// original ones. Survivors run again with all modules reloaded (trial.ts).
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { mutantPart, originalPart } from './sandbox.js';
import { broken, relevantTestsOf, failing, loaded } from './tests.js';

export interface Series {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

export type SeriesMessage =
  | { readonly kind: 'goesOn' }
  | { readonly kind: 'tried'; readonly mutant: number; readonly caughtBy: string | null }
  /** At the end: whether the original file still passes what it passed at first. */
  | { readonly kind: 'over'; readonly isSound: boolean };

const runs = 40;
const compiled = join(import.meta.dirname, '../..');
const { file, from, to } = workerData as Series;

const { quick, isPlayed } = relevantTestsOf(file);
const mocha = await loaded(quick);
await load(file.replace(/\.ts$/, '.js'));

async function load(path: string): Promise<object> {
  return (await import(pathToFileURL(join(compiled, path)).href)) as object;
}

/** Replaces the exports of the file by those of another module. */
async function takeIn(path: string): Promise<void> {
  const { mutationParts } = globalThis as { mutationParts?: Map<string, (part: object) => void> };
  mutationParts?.get(file)?.(await load(path));
}

async function caughtBy(): Promise<string | null> {
  return (await failing(mocha)) ?? (isPlayed ? await broken(0, runs) : null);
}

function say(message: SeriesMessage): void {
  parentPort?.postMessage(message);
}

for (let mutant = from; mutant < to; mutant += 1) {
  const caught = await takeIn(mutantPart(file, mutant))
    .then(caughtBy)
    .catch((error: unknown) => `it throws: ${String(error)}`.slice(0, 200));
  say({ kind: 'tried', mutant, caughtBy: caught });
}
await takeIn(originalPart(file));
say({ kind: 'over', isSound: (await caughtBy()) === null });
