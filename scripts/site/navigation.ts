// The list of pages beside every page: the section "Documentation" of the README, and the generated reference.
import { posix } from 'node:path';
import { placeOf } from './page.js';

export interface Group {
  readonly title: string;
  /** Places on the site. */
  readonly places: readonly string[];
}

export function navigationOf(readme: string): readonly Group[] {
  const [, documentation = ''] = readme.split(/^## Documentation$/m);
  const groups = documentation.split(/^### /m).slice(1);
  return groups.map((group) => ({
    title: group.slice(0, group.indexOf('\n')),
    places: [
      ...new Set([...group.matchAll(/\]\(([^)#\s]+\.md)[^)]*\)/g)].map(([, path = '']) => placeOf(path))),
    ],
  }));
}

/** From one place of the site to another. */
export const relative = (from: string, to: string): string => posix.relative(posix.dirname(from), to);
