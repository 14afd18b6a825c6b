// The icon of a state. Each state has its own shape as well as its own colour and word.
import type { Tone } from '../../shared/domain/status/wording.js';
import { make, setClass } from './dom.js';

/** Hidden from a screen reader: the word is next to it. */
export function stateIcon(): HTMLElement {
  const element = make('span', 'mark unknown');
  element.setAttribute('aria-hidden', 'true');
  return element;
}

export function setStateIcon(element: Element, tone: Tone): void {
  setClass(element, `mark ${tone}`);
}
