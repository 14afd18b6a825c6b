// `npm run mutation:named`: tests each named mutant of the program and prints what catches it. Exits 1 for a survivor.
import { namedMutants } from './named-mutants.js';
import { tryAll } from './pool.js';

const mutants = namedMutants();
const nameBySource = new Map(mutants.map(({ source, name }) => [source, name]));
let survivors = 0;
const startedMs = performance.now();
await tryAll(mutants, 2, ({ mutant, caughtBy }) => {
  if (caughtBy === null) survivors += 1;
  const name = nameBySource.get(mutant.source) ?? '';
  process.stdout.write(`${caughtBy === null ? 'SURVIVES' : 'caught'}: ${name}\n    ${caughtBy ?? ''}\n`);
});
const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
process.stdout.write(
  `${String(mutants.length)} ways to break it, ${String(survivors)} survive, ${seconds} s\n`,
);
if (survivors > 0) process.exitCode = 1;
