// `npm run mutation:named [-- --write]`: tests each named mutant of the program and prints what catches it. Exits 1 for a
// survivor. `--write` notes in named.txt what caught each.
import { parseArgs } from 'node:util';
import { isStale, namedMutants, note } from './named-mutants.js';
import { tryAll } from './pool.js';

const { values } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
const mutants = namedMutants();
let survivors = 0;
const startedMs = performance.now();
await tryAll(mutants, 2, (outcome) => {
  const { mutant, caughtBy } = outcome;
  if (caughtBy === null) survivors += 1;
  const stale = isStale(outcome) ? `, not by ${mutant.lastCaughtBy ?? 'a test that named.txt knows'}` : '';
  process.stdout.write(
    `${caughtBy === null ? 'SURVIVES' : 'caught'}: ${mutant.context}\n    ${caughtBy ?? ''}${stale}\n`,
  );
  if (values.write) note(outcome);
});
const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
process.stdout.write(
  `${String(mutants.length)} ways to break it, ${String(survivors)} survive, ${seconds} s\n`,
);
if (survivors > 0) process.exitCode = 1;
