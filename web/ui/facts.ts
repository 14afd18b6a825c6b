// A list of names and values.
import type { LabelledFact } from '../../shared/domain/base/format.js';
import { make, setChildren, setText } from './dom.js';

export function factList(facts: readonly LabelledFact[], className = 'facts'): HTMLElement {
  const items = facts.map(([name, text]) => make('div', '', make('dt', '', name), make('dd', '', text)));
  return make('dl', className, ...items);
}

/** Shows terms, values and notes in `list`, in the items it has, so that nothing is created again with each reading. */
export function showFacts(
  list: HTMLElement,
  facts: readonly (readonly [term: string, text: string, note: string])[],
): void {
  const items = facts.map((texts, index) => {
    const item = list.children[index] ?? make('div', '', make('dt'), make('dd'), make('dd', 'quiet'));
    texts.forEach((text, place) => {
      const part = item.children[place];
      if (part !== undefined) setText(part, text);
    });
    return item;
  });
  setChildren(list, items);
}
