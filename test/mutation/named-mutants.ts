// The named mutants of `test/mutation/named.txt`: ways to break the program, by the file they change.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './mutants.js';
import type { Outcome } from './pool.js';
import { sourceOf } from './pool.js';
import { isTest } from './relevant.js';
import { repository } from './sandbox.js';

const list = join(repository, 'test/mutation/named.txt');

interface Replacement {
  readonly name: string;
  readonly file: string;
  readonly lastCaughtBy: string | null;
  readonly find: string;
  readonly replace: string;
}

function replacements(): readonly Replacement[] {
  const sections = readFileSync(list, 'utf8').split('\n\n').slice(1);
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
 * Those that the same test caught stand together. Throws unless the text to replace occurs exactly once in its file: then the
 * mutant needs an update.
 */
export function namedMutants(): readonly Mutant[] {
  return replacements()
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
export function isStale({ mutant, caughtBy }: Outcome): boolean {
  return caughtBy !== null && !caughtBy.startsWith(`${mutant.lastCaughtBy ?? ''}: `);
}

/** Writes what caught the mutant into the list. */
export function note({ mutant, caughtBy }: Outcome): void {
  const [by = ''] = caughtBy?.split(': ') ?? [];
  if (!isTest(by)) return;
  const entry = (test: string | null) => `# ${mutant.context}\n${test === null ? '' : `= ${test}\n`}`;
  const text = readFileSync(list, 'utf8').replace(entry(mutant.lastCaughtBy), () => entry(by));
  writeFileSync(list, text);
}
