// The named mutants of `test/mutation/named.txt`: ways to break the program, by the file they change.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutants.js';
import { sourceOf } from './pool.js';
import { repository } from './sandbox.js';

interface NamedMutant extends Mutant {
  readonly name: string;
}

interface Replacement {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

function replacements(): readonly Replacement[] {
  const text = readFileSync(join(repository, 'test/mutation/named.txt'), 'utf8');
  const sections = text.split('\n\n').slice(1);
  return sections.flatMap((section) => {
    const [heading = '', ...entries] = section.split('\n# ');
    return entries.map((entry) => {
      const [name = '', ...lines] = entry.split('\n');
      const marked = (mark: string): string =>
        lines
          .filter((line) => line.startsWith(mark))
          .map((line) => line.slice(2))
          .join('\n');
      return { name, file: heading, find: marked('-'), replace: marked('+') };
    });
  });
}

/** Throws unless the text to replace occurs exactly once in its file: then the mutant needs an update. */
export function namedMutants(): readonly NamedMutant[] {
  return replacements().map(({ name, file, find, replace }) => {
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
