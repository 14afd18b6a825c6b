// Tests many mutants in one process: only the mutated file is loaded each time, and its exports replace the original ones.
// Survivors run again with all modules reloaded (trial.ts): another module may hold what it read from the original while it
// was loaded, as the table of triggers does.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { say, task } from './child.js';
import { mutantPart, originalPart } from './sandbox.js';
import { failing, load } from './tests.js';

export interface Series {
  /** The source of each mutant, and what runs against it. The number of a mutant is its place here. */
  readonly mutants: readonly { readonly file: string; readonly names: readonly string[] }[];
  /** The first mutant to test. */
  readonly from: number;
}

export type SeriesMessage =
  | { readonly kind: 'goesOn' }
  | { readonly kind: 'tried'; readonly mutant: number; readonly caughtBy: string | null }
  /** At the end: whether unbroken files, put in the places of the mutants, pass what ran against the mutants. */
  | { readonly kind: 'over'; readonly isSound: boolean };

const { mutants, from } = task as Series;
const files = [...new Set(mutants.map(({ file }) => file))];
const names = [...new Set(mutants.flatMap((mutant) => mutant.names))];

async function module(source: string, query = ''): Promise<object> {
  const { href } = pathToFileURL(join(import.meta.dirname, '../..', source.replace(/\.ts$/, '.js')));
  return (await import(href + query)) as object;
}

/** Replaces the exports of the file by those of another module. */
function replace(file: string, part: object): void {
  const { mutationParts } = globalThis as { mutationParts?: Map<string, (part: object) => void> };
  mutationParts?.get(file)?.(part);
}

async function caughtBy(mutant: number, file: string, by: readonly string[]): Promise<string | null> {
  try {
    replace(file, await module(mutantPart(file, mutant)));
    return await failing(by);
  } catch (error) {
    return `it throws: ${String(error)}`.slice(0, 200);
  } finally {
    replace(file, await module(originalPart(file)));
  }
}

async function isSound(): Promise<boolean> {
  for (const file of files) replace(file, await module(originalPart(file), '?copy'));
  return (await failing(names)) === null;
}

await load(names);
for (const file of files) await module(file);
for (const [mutant, { file, names: by }] of mutants.entries())
  if (mutant >= from) report({ kind: 'tried', mutant, caughtBy: await caughtBy(mutant, file, by) });
report({ kind: 'over', isSound: await isSound() });

function report(message: SeriesMessage): void {
  say(message);
}
