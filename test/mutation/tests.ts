// Runs tests and simulated runs by the names of relevant.ts, in the processes of trial.ts and series.ts. No test fails here for
// being slow.
import { join } from 'node:path';
import fc from 'fast-check';
import Mocha from 'mocha';
import { say } from './child.js';
import { partsOf, runOf } from './relevant.js';

const seed = 1;
/** Runs of a property: few, because the simulation follows. */
const propertyRuns = 40;

const loaded = new Map<string, Mocha>();

/** Loads what these names run. */
export async function load(names: readonly string[]): Promise<void> {
  for (const name of names) await (runOf(name) === null ? testsIn(partsOf(name).file) : simulation());
}

/** Runs these until one fails. The name and what it says; null for none. */
export async function failing(names: readonly string[]): Promise<string | null> {
  for (const name of names) {
    const run = runOf(name);
    const reason = await (run === null ? failingTest(name) : brokenPromise(run));
    if (reason !== null) return `${name}: ${reason}`;
  }
  return null;
}

/** The title of the first test of the file that fails. */
async function failingTest(name: string): Promise<string | null> {
  const { file, words } = partsOf(name);
  const mocha = await testsIn(file);
  mocha.grep(words === '' ? /^/ : RegExp(words.replace(/[^\w ]/g, '\\$&')));
  return new Promise((resolve) => {
    let title: string | null = null;
    const runner = mocha.run(() => {
      // The listeners that runners leave emit each unhandled rejection to each other: with thirty, without end.
      runner.dispose();
      resolve(title);
    });
    runner.on('test end', reportProgress).on('fail', (test) => {
      title ??= test.fullTitle();
    });
  });
}

/** The tests of a file, which can run repeatedly. */
async function testsIn(file: string): Promise<Mocha> {
  const known = loaded.get(file);
  if (known !== undefined) return known;
  // The same random runs for every mutant.
  fc.configureGlobal({ seed, numRuns: propertyRuns });
  const mocha = new Mocha({ bail: true, timeout: 0, reporter: Mocha.reporters.Base });
  mocha.cleanReferencesAfterRun(false);
  mocha.addFile(join(import.meta.dirname, '..', file.replace(/\.ts$/, '.js')));
  await mocha.loadFilesAsync();
  mocha.suite.eachTest((test) => test.timeout(0));
  loaded.set(file, mocha);
  return mocha;
}

async function brokenPromise(run: number): Promise<string | null> {
  const { play, generateScenario } = await simulation();
  const { violation } = await play(generateScenario(seed, run));
  reportProgress();
  return violation?.rule ?? null;
}

async function simulation() {
  const { play } = await import('../simulation/play.js');
  const { generateScenario } = await import('../simulation/generator/scenario.js');
  return { play, generateScenario };
}

/** Says that this process makes progress. */
function reportProgress(): void {
  say({ kind: 'goesOn' });
}
