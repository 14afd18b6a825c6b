// The named mutants of `test/mutation/named/`: ways to break the program, by the file they change.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Mutant } from './mutants.js';
import type { Outcome } from './pool.js';
import { sourceOf } from './pool.js';
import { testOf } from './relevant.js';
import { repository } from './sandbox.js';

const folder = join(repository, 'test/mutation/named');
const lists = readdirSync(folder).map((name) => join(folder, name));

interface Replacement {
  readonly name: string;
  readonly file: string;
  readonly lastCaughtBy: string | null;
  readonly find: string;
  readonly replace: string;
}

function replacements(chosen: string): readonly Replacement[] {
  const of = lists.filter((list) => chosen === '' || basename(list, '.txt') === chosen);
  const sections = of.flatMap((list) => readFileSync(list, 'utf8').trimEnd().split('\n\n').slice(1));
  return sections.flatMap((section) => {
    const [heading = '', ...entries] = section.split('\n# ');
    return entries.map((entry) => {
      const [name = '', ...lines] = entry.split('\n');
      const marked = (mark: string): string =>
        lines
          .filter((line) => line.startsWith(mark))
          .map((line) => line.slice(2))
          .join('\n');
      const lastCaughtBy = marked('=') || null;
      return { name, file: heading, lastCaughtBy, find: marked('-'), replace: marked('+') };
    });
  });
}

/**
 * Of one list, or of all. Those that the same test caught stand together. Throws unless the text to replace occurs exactly once in its file: then the
 * mutant needs an update.
 */
export function namedMutants(list = ''): readonly Mutant[] {
  return replacements(list)
    .map(({ name, file, lastCaughtBy, find, replace }) => {
      const text = sourceOf(file);
      const start = text.indexOf(find);
      if (start === -1 || text.includes(find, start + 1)) {
        throw new Error(`"${name}": ${file} must hold exactly once: ${find}`);
      }
      const source = text.slice(0, start) + replace + text.slice(start + find.length);
      const line = text.slice(0, start).split('\n').length;
      return { file, line, context: name, before: find, after: replace, source, lastCaughtBy };
    })
    .toSorted((a, b) => (a.lastCaughtBy ?? '').localeCompare(b.lastCaughtBy ?? ''));
}

/** Another test caught it than the list says: that costs time. */
export function isStale({ mutant: { lastCaughtBy }, caughtBy }: Outcome): boolean {
  return caughtBy !== null && (lastCaughtBy === null || testOf(lastCaughtBy, caughtBy) !== lastCaughtBy);
}

/** Writes what caught the mutant into its list. */
export function note({ mutant, caughtBy }: Outcome): void {
  const by = testOf(mutant.lastCaughtBy, caughtBy);
  if (by === null) return;
  const entry = (test: string | null) => `# ${mutant.context}\n${test === null ? '' : `= ${test}\n`}`;
  const known = entry(mutant.lastCaughtBy);
  const [list = ''] = lists.filter((path) => readFileSync(path, 'utf8').includes(known));
  writeFileSync(
    list,
    readFileSync(list, 'utf8').replace(known, () => entry(by)),
  );
}
