import type { Breakage } from './breakages/breakage.js';
import { exceptionBreakages } from './breakages/exceptions.js';
import { groupBreakages } from './breakages/groups.js';
import { outageBreakages } from './breakages/outages.js';
import { readingBreakages } from './breakages/readings.js';
import { sequenceBreakages } from './breakages/sequences.js';
import type { Mutant } from './mutants.js';
import { sourceOf } from './pool.js';

export interface NamedMutant extends Mutant {
  readonly name: string;
}

export const breakages: readonly Breakage[] = [
  ...readingBreakages,
  ...outageBreakages,
  ...groupBreakages,
  ...sequenceBreakages,
  ...exceptionBreakages,
];

/** Throws unless the text to replace occurs exactly once in its file: then the breakage needs an update. */
export function namedMutants(): readonly NamedMutant[] {
  return breakages.map(({ name, file, find, replace }) => {
    const text = sourceOf(file);
    const start = text.indexOf(find);
    if (start === -1 || text.includes(find, start + 1)) {
      throw new Error(`"${name}": ${file} must hold exactly once: ${find}`);
    }
    const source = text.slice(0, start) + replace + text.slice(start + find.length);
    const line = text.slice(0, start).split('\n').length;
    return { name, file, line, context: name, before: find, after: replace, source };
  });
}
