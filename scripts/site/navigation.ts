// The list of pages beside every page: the section "Pages" of docs/README.md, and the generated reference.
import { posix } from 'node:path';
import { placeOf } from './page.js';

export interface NavigationGroup {
  readonly title: string;
  /** Places on the site. */
  readonly places: readonly string[];
}

export function navigationOf(index: string): readonly NavigationGroup[] {
  const [, pages = ''] = index.split(/^## Pages$/m);
  const groups = pages.split(/^### /m).slice(1);
  return groups.map((group) => ({
    title: group.slice(0, group.indexOf('\n')),
    places: [
      ...new Set(
        [...group.matchAll(/\]\(([^)#\s]+\.md)[^)]*\)/g)].map(([, path = '']) =>
          placeOf(posix.join('docs', path)),
        ),
      ),
    ],
  }));
}

/** From one place of the site to another. */
export const relative = (from: string, to: string): string => posix.relative(posix.dirname(from), to);
