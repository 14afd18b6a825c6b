// `npm run mutation:sample [-- --in workers,supervisor/sequence] [--sample 300] [--seed 1] [--ledger FILE] [--compare FILE]
// [--jobs N]`: breaks the folders in ways picked at random from their syntax trees, and shows which the unit tests catch.
// `--ledger` notes each verdict and goes on where it was cut off. `--compare` tests the mutants of an earlier ledger again and
// exits 1 when one that was caught survives now: run it before and after tests are moved or deleted.
import { parseArgs } from 'node:util';
import { Random } from '../simulation/random.js';
import { namedApart, noteVerdict, verdictsOf } from './ledger.js';
import { mutantsOf } from './mutants.js';
import type { Mutant } from './mutants.js';
import { sourceOf, tryAll } from './pool.js';
import { sourcesIn } from './sandbox.js';

const { values } = parseArgs({
  options: {
    in: { type: 'string', default: 'workers,supervisor/sequence' },
    sample: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    ledger: { type: 'string', default: '' },
    compare: { type: 'string', default: '' },
    jobs: { type: 'string', default: '2' },
  },
});

const files = values.in.split(',').flatMap(sourcesIn);
const all = namedApart(files.flatMap((file) => mutantsOf(file, sourceOf(file))));
const before = values.compare === '' ? null : verdictsOf(values.compare);
const done = values.ledger === '' ? new Map<string, never>() : verdictsOf(values.ledger);
const chosen = before === null ? sample(Number(values.sample), Number(values.seed)) : [...before.keys()];
const gone = chosen.filter((name) => !all.has(name));
const names = new Map<Mutant, string>();
for (const name of chosen) {
  const mutant = all.get(name);
  if (mutant === undefined || done.has(name)) continue;
  names.set({ ...mutant, lastCaughtBy: before?.get(name)?.by ?? null }, name);
}

const counts = new Map<string, { caught: number; of: number }>();
const lost: string[] = [];
await tryAll([...names.keys()].toSorted(byFile), Number(values.jobs), (outcome) => {
  const name = names.get(outcome.mutant) ?? '';
  const isCaught = outcome.caughtBy !== null;
  if (values.ledger !== '') noteVerdict(values.ledger, name, outcome);
  if (before?.get(name)?.isCaught === true && !isCaught) lost.push(name);
  const [top = '', next = ''] = outcome.mutant.file.split('/');
  const count = counts.get(`${top}/${next}`) ?? { caught: 0, of: 0 };
  counts.set(`${top}/${next}`, { caught: count.caught + (isCaught ? 1 : 0), of: count.of + 1 });
  say(`${isCaught ? 'caught' : 'SURVIVES'} ${name}`);
});

for (const [folder, { caught, of }] of [...counts].toSorted(([a], [b]) => a.localeCompare(b)))
  say(`${folder}: ${String(caught)} of ${String(of)} caught`);
if (gone.length > 0) say(`${String(gone.length)} are gone, because their lines have changed`);
for (const name of lost) say(`CAUGHT BEFORE, SURVIVES NOW: ${name}`);
if (before !== null) say(`${String(lost.length)} that were caught survive now`);
if (lost.length > 0) process.exitCode = 1;

/** Different names, each as likely as any other. */
function sample(count: number, seed: number): readonly string[] {
  const random = new Random(seed);
  const left = [...all.keys()];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const [name = ''] = left.splice(random.integer(0, left.length - 1), 1);
    return name;
  });
}

function byFile(a: Mutant, b: Mutant): number {
  return a.file.localeCompare(b.file);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
