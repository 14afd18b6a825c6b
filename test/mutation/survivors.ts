// The mutants that are known to survive, each with its reason: `test/mutation/survivors.txt`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutants.js';
import { repository } from './sandbox.js';

export const survivorsFile = 'test/mutation/survivors.txt';

/** A name of the mutant that does not depend on its line number. */
export function nameOf({ file, context, before, after }: Mutant): string {
  const what = context === before ? '' : `${before} -> `;
  return `${file}: ${context}  =>  ${what}${after}`;
}

/** Reasons by mutant name. A reason stands after `#` above its mutants. */
export function knownSurvivors(): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  let reason = '';
  for (const line of readFileSync(join(repository, survivorsFile), 'utf8').split('\n')) {
    if (line.startsWith('# ')) reason = line.slice(2);
    else if (line.trim() !== '') known.set(line.trim(), reason);
  }
  return known;
}
