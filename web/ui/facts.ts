// A list of names and values.
import type { Fact } from '../../shared/domain/format.js';
import { make } from './dom.js';

export function factList(facts: readonly Fact[], className = 'facts'): HTMLElement {
  const items = facts.map(([name, text]) => make('div', '', make('dt', '', name), make('dd', '', text)));
  return make('dl', className, ...items);
}
