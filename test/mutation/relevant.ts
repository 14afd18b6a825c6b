// Which tests and simulated runs can catch a mutant, in their order, by name: `supervisor/policy/base/clock.test.ts` is a file of
// test/, `simulation 12` the run of that number.
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readTimes } from '../run/times.js';
import { importersOf } from './importers.js';
import { repository } from './sandbox.js';

const tests = join(repository, 'test');
const times = readTimes();

/** Random runs; after all others. */
const properties = 'supervisor/policy/properties.test.ts';

const shortRuns = 40;
const longRuns = 120;

/** Texts for users: no simulated outage calls them, so only their own tests can catch a mutant. */
const onlyShown = /\/(explain|forecast)/;

/** Code that runs a plan has its own tests; those of policy do not cover it. */
const ofSequences = /^supervisor\/sequence\/(?!journal\/cache)|^shared\/domain\/plan-lanes/;

/** Code that performs decisions and guards them against exceptions: simulated exceptions are too rare for each guard. */
const ofDecisions = /^supervisor\/(guard|engine|sequence\/journal\/cache)/;

/** What no simulation runs: the unit tests that load it catch its mutants. */
const ofWorkers = /^(workers|scripts|shared\/runtime|supervisor\/(reserve|supervision|workers))\//;
/** Of the tests that load a file, those that judge its mutants: more are farther away than what they test. */
const nearest = 12;

const ofPlans = /^supervisor\/policy\/plan/;

/** The decoder judges what the file may say. */
const ofKeys = /^supervisor\/policy\/base\/ups-keys/;

const ofTriggers = /^shared\/domain\/triggers\//;
const triggerTests = within('shared/domain/triggers');

/** The number of a simulated run; null for a test file. */
export function runOf(name: string): number | null {
  const run = /^simulation (\d+)$/.exec(name)?.[1];
  return run === undefined ? null : Number(run);
}

/** `supervisor/policy/scenarios.test.ts: words` is what has these words in its title, of a file that takes long as a whole. */
export function partsOf(name: string): { readonly file: string; readonly words: string } {
  const [file = '', ...words] = name.split(': ');
  return { file, words: words.join(': ') };
}

export function isTest(name: string): boolean {
  const { file } = partsOf(name);
  return runOf(name) !== null || (file.endsWith('.test.ts') && existsSync(join(tests, file)));
}

/** The name of the test in `caughtBy`, with the words of the title where those caught it last; null for an end without a test. */
export function testOf(lastCaughtBy: string | null, caughtBy: string | null): string | null {
  if (lastCaughtBy !== null && caughtBy?.startsWith(`${lastCaughtBy}: `) === true) return lastCaughtBy;
  const { file } = partsOf(caughtBy ?? '');
  return isTest(file) ? file : null;
}

/** Catches most mutants of `file`; first the tests that are named like it, then what costs least. */
export function quickFor(file: string): readonly string[] {
  if (ofWorkers.test(file)) return importersOf(file).slice(0, nearest);
  const rank = (name: string): number =>
    basename(name, '.test.ts') === basename(file, '.ts')
      ? -1
      : (times.get(name.replace(/\.test\.ts$/, ''))?.cpu ?? 0);
  const sorted = [...testsFor(file)].sort((a, b) => rank(a) - rank(b));
  return onlyShown.test(file) ? sorted : [...sorted, ...runs(0, shortRuns)];
}

/** All that can catch a mutant of `file`. */
export function allFor(file: string): readonly string[] {
  const quick = quickFor(file);
  if (onlyShown.test(file) || ofWorkers.test(file)) return quick;
  return [...quick, properties, ...runs(shortRuns, longRuns)];
}

function testsFor(file: string): readonly string[] {
  const plans = 'supervisor/config/derive/plans.test.ts';
  if (ofPlans.test(file)) return ['config/derive', 'policy/plan'].flatMap(inside);
  if (ofKeys.test(file)) return inside('config');
  const policy = inside('policy').filter((name) => name !== properties);
  if (onlyShown.test(file)) return policy;
  // Without the test that makes every call throw in turn: it takes longer than all others together.
  if (ofDecisions.test(file)) return ['guard', 'engine', 'sequence/journal'].flatMap(inside);
  if (ofSequences.test(file)) return [...['sequence', 'engine'].flatMap(inside), plans];
  return [...policy, plans, ...(ofTriggers.test(file) ? triggerTests : [])];
}

const inside = (module: string): readonly string[] => within(`supervisor/${module}`);

/** With those of the folders in it. */
function within(folder: string): readonly string[] {
  return readdirSync(join(tests, folder), { encoding: 'utf8', recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`);
}

function runs(from: number, to: number): readonly string[] {
  return Array.from({ length: to - from }, (_, index) => `simulation ${String(from + index)}`);
}
