// The tests and simulated runs that can catch a mutant, in their order. Runs in the threads of trial.ts and series.ts. No
// test fails here for being slow.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import fc from 'fast-check';
import Mocha from 'mocha';

/** The slow tests, which run last: most mutants are caught by then. */
const last = ['scenarios.test.js', 'properties.test.js'];
const seed = 1;
/** Runs of a property: few, because the simulation follows. */
const propertyRuns = 40;

/** Texts for users: no simulated outage calls them, so only their own tests can catch a mutant. */
const onlyShown = /\/(explain|forecast)/;

/** Code that runs a plan has its own tests; those of policy do not cover it. */
const ofSequences = /^supervisor\/(sequence\/|open-sequences|unfinished)|^shared\/domain\/plan-lanes/;

/** Code that performs decisions and guards them against exceptions: simulated exceptions are too rare for each guard. */
const ofDecisions = /^supervisor\/(guard|guarded-tools|loop|perform|decisions|journals-at-hand)\.ts$/;

/** Plans have their own tests. */
const ofPlans = /^supervisor\/policy\/plan/;

const tests = join(import.meta.dirname, '../../test/supervisor');

export interface RelevantTests {
  readonly quick: readonly string[];
  /** Properties and the simulation can catch it. */
  readonly isPlayed: boolean;
}

/** The test files that run first for a mutant of `file`. */
export function relevantTestsOf(file: string): RelevantTests {
  if (ofPlans.test(file))
    return { quick: [join(tests, 'plans.test.js'), ...inside('policy/plan')], isPlayed: true };
  const policy = readdirSync(join(tests, 'policy')).filter((name) => name.endsWith('.test.js'));
  const quick = policy.filter((name) => !last.includes(name)).map((name) => join(tests, 'policy', name));
  if (onlyShown.test(file)) return { quick, isPlayed: false };
  const others = readdirSync(tests).filter((name) => name === 'plans.test.js');
  if (ofSequences.test(file)) return { quick: sequences(), isPlayed: true };
  if (ofDecisions.test(file)) return { quick: decisions(), isPlayed: true };
  const scenarios = join(tests, 'policy', 'scenarios.test.js');
  return { quick: [...quick, ...others.map((name) => join(tests, name)), scenarios], isPlayed: true };
}

function inside(folder: string): readonly string[] {
  return readdirSync(join(tests, folder))
    .filter((name) => name.endsWith('.test.js'))
    .map((name) => join(tests, folder, name));
}

function sequences(): readonly string[] {
  const others = ['plans', 'decisions'].map((name) => join(tests, `${name}.test.js`));
  return [...inside('sequence'), ...inside('sequence/phases'), ...others];
}

/** Without the test that makes every call throw in turn: it takes longer than all others together. */
function decisions(): readonly string[] {
  const names = ['guard', 'loop', 'perform', 'journals-at-hand', 'decisions'];
  return names.map((name) => join(tests, `${name}.test.js`));
}

export const properties: readonly string[] = [join(tests, 'policy', 'properties.test.js')];

/** The tests of these files, which can run repeatedly. */
export async function loaded(files: readonly string[]): Promise<Mocha> {
  // The same random runs for every mutant.
  fc.configureGlobal({ seed, numRuns: propertyRuns });
  const mocha = new Mocha({ bail: true, timeout: 0, reporter: Mocha.reporters.Base });
  mocha.cleanReferencesAfterRun(false);
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  mocha.suite.eachTest((test) => test.timeout(0));
  return mocha;
}

/** The title of the first test that fails; null for none. */
export function failing(mocha: Mocha): Promise<string | null> {
  return new Promise((resolve) => {
    let title: string | null = null;
    mocha
      .run(() => resolve(title))
      .on('test end', reportProgress)
      .on('fail', (test) => {
        title ??= test.fullTitle();
      });
  });
}

/** The first promise that these simulated runs break; null for none. */
export async function broken(from: number, to: number): Promise<string | null> {
  const { play } = await import('../simulation/play.js');
  const { generateScenario } = await import('../simulation/generator/scenario.js');
  for (let run = from; run < to; run += 1) {
    const { violation } = await play(generateScenario(seed, run));
    reportProgress();
    if (violation !== null) return `simulation: ${violation.rule} (run ${String(run)})`;
  }
  return null;
}

/** Tells the parent thread that this one makes progress. */
function reportProgress(): void {
  parentPort?.postMessage({ kind: 'goesOn' });
}
