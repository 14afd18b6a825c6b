// One trial, in a thread of its own whose modules are all fresh: the tests of policy, then a short simulation, until
// something fails. Answers with what has caught the mutant, or null; tells meanwhile that it goes on. On a busy machine
// everything takes its time: no test fails here for having been slow.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import fc from 'fast-check';
import Mocha from 'mocha';

export type TrialMessage =
  { readonly kind: 'goesOn' } | { readonly kind: 'over'; readonly caughtBy: string | null };

/** The slow ones last: most mutants are dead by then. */
const last = ['scenarios.test.js', 'properties.test.js'];
const seed = 1;
/** Short runs between the quick tests and the slow one, long ones behind it. */
const shortRuns = 40;
const longRuns = 120;
/** Courses of a property. */
const courses = 40;

/** What only people read: no outage that is played calls it, so that nothing but its own tests can catch it. */
const onlyShown = /\/(explain|forecast)/;

const tests = join(import.meta.dirname, '../../test/supervisor');

async function caughtBy(): Promise<string | null> {
  // The same courses for every mutant, and no more of them than the simulation behind them makes worth while.
  fc.configureGlobal({ seed, numRuns: courses });
  const policy = readdirSync(join(tests, 'policy')).filter((name) => name.endsWith('.test.js'));
  const quick = policy.filter((name) => !last.includes(name)).map((name) => join(tests, 'policy', name));
  const others = ['plans.test.js'].map((name) => join(tests, name)).filter((path) => exists(path));
  if (onlyShown.test(String(workerData))) return failing(quick);
  const scenarios = join(tests, 'policy', 'scenarios.test.js');
  const properties = join(tests, 'policy', 'properties.test.js');
  return (
    (await failing([...quick, ...others, scenarios])) ??
    (await broken(0, shortRuns)) ??
    (await failing([properties])) ??
    (await broken(shortRuns, longRuns))
  );
}

/** The title of the first test that fails. */
async function failing(files: readonly string[]): Promise<string | null> {
  const mocha = new Mocha({ bail: true, timeout: 0, reporter: Mocha.reporters.Base });
  for (const file of files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  mocha.suite.eachTest((test) => test.timeout(0));
  return new Promise((resolve) => {
    let title: string | null = null;
    mocha
      .run(() => resolve(title))
      .on('test end', goesOn)
      .on('fail', (test) => {
        title ??= test.fullTitle();
      });
  });
}

async function broken(from: number, to: number): Promise<string | null> {
  const { play } = await import('../simulation/play.js');
  const { writeStory } = await import('../simulation/story/write.js');
  for (let run = from; run < to; run += 1) {
    const { violation } = await play(writeStory(seed, run));
    goesOn();
    if (violation !== null) return `simulation: ${violation.rule} (run ${String(run)})`;
  }
  return null;
}

function goesOn(): void {
  tell({ kind: 'goesOn' });
}

function tell(message: TrialMessage): void {
  parentPort?.postMessage(message);
}

function exists(path: string): boolean {
  return readdirSync(tests).some((name) => path.endsWith(`/${name}`));
}

tell({
  kind: 'over',
  caughtBy: await caughtBy().catch((error: unknown) =>
    `it does not even start: ${String(error)}`.slice(0, 200),
  ),
});
