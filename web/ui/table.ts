// A table of texts and links that scrolls sideways on a small screen.
import { make } from './dom.js';

export function table(
  name: string,
  heads: readonly string[],
  rows: readonly (readonly (Node | string)[])[],
): HTMLElement {
  const body = rows.map((row) => make('tr', '', ...row.map((cell) => make('td', '', cell))));
  return scrolling(
    name,
    make(
      'table',
      'plain',
      make('thead', '', make('tr', '', ...headCells(heads))),
      make('tbody', '', ...body),
    ),
  );
}

export function headCells(heads: readonly string[]): readonly HTMLElement[] {
  return heads.map((text) => {
    const head = make('th', '', text);
    head.scope = 'col';
    return head;
  });
}

export function scrolling(name: string, content: HTMLElement): HTMLElement {
  const root = make('div', 'scroll', content);
  // A scrolling region must be reachable by keyboard.
  root.tabIndex = 0;
  root.setAttribute('role', 'region');
  root.setAttribute('aria-label', name);
  return root;
}
