// What can catch a mutant: the tests of policy and runs of the simulation, and which of them come first. Runs in the
// threads of trial.ts and series.ts. On a busy machine everything takes its time: no test fails here for having been slow.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import fc from 'fast-check';
import Mocha from 'mocha';

/** The slow ones last: most mutants are dead by then. */
const last = ['scenarios.test.js', 'properties.test.js'];
const seed = 1;
/** Courses of a property: no more of them than the simulation behind them makes worth while. */
const propertyRuns = 40;

/** What only people read: no outage that is played calls it, so that nothing but its own tests can catch it. */
const onlyShown = /\/(explain|forecast)/;

/** What runs a plan has tests of its own, and none of policy's can tell. */
const ofSequences = /^supervisor\/(sequence\/|open-sequences|unfinished)|^shared\/domain\/plan-lanes/;

/** What carries decisions out, and keeps exceptions off that path: the simulation throws too seldom to tell each guard. */
const ofDecisions = /^supervisor\/(guard|guarded-tools|loop|perform|decisions|journals-at-hand)\.ts$/;

/** A plan is a value, and has tests of its own. */
const ofPlans = /^supervisor\/policy\/plan/;

const tests = join(import.meta.dirname, '../../test/supervisor');

export interface RelevantTests {
  readonly quick: readonly string[];
  /** Properties and simulation are worth while. */
  readonly isPlayed: boolean;
}

/** The test files that come first for a mutant of `file`. */
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

/** Without the test that lets every call throw in turn: it takes longer than all others together. */
function decisions(): readonly string[] {
  const names = ['guard', 'loop', 'perform', 'journals-at-hand', 'decisions'];
  return names.map((name) => join(tests, `${name}.test.js`));
}

export const properties: readonly string[] = [join(tests, 'policy', 'properties.test.js')];

/** The tests of these files, to be run as often as one likes. */
export async function loaded(files: readonly string[]): Promise<Mocha> {
  // The same courses for every mutant.
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

/** The first promise that these runs of the simulation break; null for none. */
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

/** Whoever waits for this thread is told that it does not turn in circles. */
function reportProgress(): void {
  parentPort?.postMessage({ kind: 'goesOn' });
}
