// The tests and simulated runs that can catch a mutant, in their order. Runs in the threads of trial.ts and series.ts. No
// test fails here for being slow.
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
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
const ofSequences = /^supervisor\/sequence\/(?!journal\/cache)|^shared\/domain\/plan-lanes/;

/** Code that performs decisions and guards them against exceptions: simulated exceptions are too rare for each guard. */
const ofDecisions = /^supervisor\/(guard|engine|sequence\/journal\/cache)/;

const ofPlans = /^supervisor\/policy\/plan/;

const tests = join(import.meta.dirname, '../../test/supervisor');

export interface RelevantTests {
  /** Those named like the file: most mutants are caught by them, and a few files are loaded quickly. */
  readonly own: readonly string[];
  readonly quick: readonly string[];
  readonly isPlayed: boolean;
}

/** The test files that run first for a mutant of `file`. */
export function relevantTestsOf(file: string): RelevantTests {
  const relevant = testsOf(file);
  const own = relevant.quick.filter((path) => basename(path, '.test.js') === basename(file, '.ts'));
  return { ...relevant, own };
}

function testsOf(file: string): Omit<RelevantTests, 'own'> {
  const plans = inside('config/derive').filter((path) => path.endsWith('/plans.test.js'));
  if (ofPlans.test(file)) return { quick: [...plans, ...inside('policy/plan')], isPlayed: true };
  const policy = inside('policy').filter((path) => !last.some((name) => path.endsWith(`/${name}`)));
  if (onlyShown.test(file)) return { quick: policy, isPlayed: false };
  // Without the test that makes every call throw in turn: it takes longer than all others together.
  if (ofDecisions.test(file))
    return { quick: ['guard', 'engine', 'sequence/journal'].flatMap(inside), isPlayed: true };
  if (ofSequences.test(file))
    return {
      quick: [
        ...['sequence', 'sequence/journal', 'sequence/phases', 'sequence/recovery', 'engine'].flatMap(inside),
        ...plans,
      ],
      isPlayed: true,
    };
  return { quick: [...policy, ...plans, join(tests, 'policy', 'scenarios.test.js')], isPlayed: true };
}

function inside(folder: string): readonly string[] {
  return readdirSync(join(tests, folder))
    .filter((name) => name.endsWith('.test.js'))
    .map((name) => join(tests, folder, name));
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
