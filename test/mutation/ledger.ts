// The verdicts on mutants, a line for each, so that later runs can be compared with them: `caught FILE.test.ts`, or `survives`,
// a tab, and the name of the mutant.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import type { Mutant } from './mutants.js';
import type { Outcome } from './pool.js';
import { nameOf } from './survivors.js';

export interface Verdict {
  readonly isCaught: boolean;
  /** The test file; null for a survivor and for what no test names, such as an endless loop. */
  readonly by: string | null;
}

/** By the names of `namedApart`. */
export function verdictsOf(file: string): ReadonlyMap<string, Verdict> {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  return new Map(
    lines.filter(Boolean).map((line) => {
      const [verdict = '', name = ''] = line.split('\t');
      const [word, by] = verdict.split(' ');
      return [name, { isCaught: word === 'caught', by: by?.endsWith('.test.ts') === true ? by : null }];
    }),
  );
}

export function noteVerdict(file: string, name: string, { caughtBy }: Outcome): void {
  const verdict = caughtBy === null ? 'survives' : `caught ${caughtBy.split(': ')[0] ?? ''}`;
  appendFileSync(file, `${verdict}\t${name}\n`);
}

/** Each mutant with a name of its own, which does not depend on line numbers: equal ones in a file are counted. */
export function namedApart(mutants: readonly Mutant[]): ReadonlyMap<string, Mutant> {
  const counts = new Map<string, number>();
  return new Map(
    mutants.map((mutant) => {
      const name = nameOf(mutant);
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return [count === 1 ? name : `${name} (${String(count)})`, mutant];
    }),
  );
}
