// `npm run mutation:named [-- --write] [--list workers]`: tests each named mutant of the program and prints what catches it.
// Exits 1 for a survivor. `--write` notes in the lists of named/ what caught each. `--integration`: those that only integration
// tests catch, and no others.
import { parseArgs } from 'node:util';
import { isBundled, tryBundled } from './bundled.js';
import { isStale, namedMutants, note } from './named-mutants.js';
import type { Outcome } from './pool.js';
import { tryAll } from './pool.js';

const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    list: { type: 'string', default: '' },
    integration: { type: 'boolean', default: false },
  },
});
const mutants = namedMutants(values.list).filter((mutant) => isBundled(mutant) === values.integration);
let survivors = 0;
const startedMs = performance.now();
const show = (outcome: Outcome): void => {
  const { mutant, caughtBy } = outcome;
  if (caughtBy === null) survivors += 1;
  const stale = isStale(outcome) ? `, not by ${mutant.lastCaughtBy ?? 'a test that named/ knows'}` : '';
  process.stdout.write(
    `${caughtBy === null ? 'SURVIVES' : 'caught'}: ${mutant.context}\n    ${caughtBy ?? ''}${stale}\n`,
  );
  if (values.write) note(outcome);
};
await (values.integration ? tryBundled(mutants, show) : tryAll(mutants, 2, show));
const seconds = ((performance.now() - startedMs) / 1000).toFixed(0);
process.stdout.write(
  `${String(mutants.length)} ways to break it, ${String(survivors)} survive, ${seconds} s\n`,
);
if (survivors > 0) process.exitCode = 1;
