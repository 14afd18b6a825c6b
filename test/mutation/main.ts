// `npm run mutation [-- --file PATH,NAME.ts] [--jobs N]`: breaks policy and the triggers in every way their syntax trees
// offer, one at a time, and shows what catches it. Exits 1 below 95 % and at survivors without a reason in
// test/mutation/survivors.txt.
import { parseArgs } from 'node:util';
import { mutantsOf } from './mutants.js';
import { sourcesIn } from './sandbox.js';
import type { Outcome } from './pool.js';
import { sourceOf, testsOf, tryAll, tryUnbroken } from './pool.js';
import { knownSurvivors, nameOf, survivorsFile } from './survivors.js';

const leastCaught = 0.95;
const folders = ['supervisor/policy', 'supervisor/reserve', 'shared/domain/triggers'];

const { values } = parseArgs({
  options: { file: { type: 'string', default: '' }, jobs: { type: 'string', default: '2' } },
});

const files =
  values.file === ''
    ? folders.flatMap(sourcesIn)
    : values.file.split(',').map((name) => (name.includes('/') ? name : `supervisor/policy/${name}`));
const mutants = files.flatMap((file) => mutantsOf(file, sourceOf(file)));

const unbroken = await tryUnbroken(testsOf(mutants));
if (unbroken !== null) {
  process.stderr.write(`without any mutant the tests fail already: ${unbroken}\n`);
  process.exit(1);
}
const startedMs = performance.now();
const outcomes: Outcome[] = [];
await tryAll(mutants, Number(values.jobs), (outcome) => {
  outcomes.push(outcome);
  if (outcome.caughtBy === null)
    say(`SURVIVES ${outcome.mutant.file}:${String(outcome.mutant.line)} ${nameOf(outcome.mutant)}`);
  if (outcomes.length % 50 === 0)
    process.stderr.write(`${String(outcomes.length)} of ${String(mutants.length)}\n`);
});

const survivors = outcomes.filter(({ caughtBy }) => caughtBy === null);
const bySimulation = outcomes.filter(({ caughtBy }) => caughtBy?.startsWith('simulation') === true);
const share = 1 - survivors.length / Math.max(1, outcomes.length);
const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
const known = knownSurvivors();
const unexplained = survivors.filter(({ mutant }) => !known.has(nameOf(mutant)));
say(
  `${String(outcomes.length)} mutants, ${String(survivors.length)} survive: ${(share * 100).toFixed(2)} % caught, ` +
    `${String(bySimulation.length)} of them by the simulation alone, in ${minutes} min`,
);
if (unexplained.length > 0) {
  say(`${String(unexplained.length)} survivors have no reason in ${survivorsFile}:`);
  for (const { mutant } of unexplained) say(nameOf(mutant));
}
if (share < leastCaught || unexplained.length > 0) process.exitCode = 1;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
