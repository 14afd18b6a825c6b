// A table of texts and links that scrolls sideways on a small screen.
import { make } from './dom.js';

export function table(
  name: string,
  heads: readonly string[],
  rows: readonly (readonly (Node | string)[])[],
): HTMLElement {
  const cells = heads.map((text) => {
    const head = make('th', '', text);
    head.scope = 'col';
    return head;
  });
  const body = rows.map((row) => make('tr', '', ...row.map((cell) => make('td', '', cell))));
  const root = make(
    'div',
    'scroll',
    make('table', 'plain', make('thead', '', make('tr', '', ...cells)), make('tbody', '', ...body)),
  );
  // A scrolling region must be reachable by keyboard.
  root.tabIndex = 0;
  root.setAttribute('role', 'region');
  root.setAttribute('aria-label', name);
  return root;
}
