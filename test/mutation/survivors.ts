// The mutants that are known to survive, each with the reason why it may: `test/mutation/survivors.txt`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutants.js';
import { repository } from './sandbox.js';

export const survivorsFile = 'test/mutation/survivors.txt';

/** A mutant by what does not change when lines above it do. */
export function nameOf({ file, context, before, after }: Mutant): string {
  const what = context === before ? '' : `${before} -> `;
  return `${file}: ${context}  =>  ${what}${after}`;
}

/** Reason by name of the mutant. A reason stands above the mutants that it is for, after `#`. */
export function knownSurvivors(): ReadonlyMap<string, string> {
  const known = new Map<string, string>();
  let reason = '';
  for (const line of readFileSync(join(repository, survivorsFile), 'utf8').split('\n')) {
    if (line.startsWith('# ')) reason = line.slice(2);
    else if (line.trim() !== '') known.set(line.trim(), reason);
  }
  return known;
}
