// The few shapes of the page. A state has a shape of its own beside its colour and its word.
import type { Tone } from '../../shared/domain/wording.js';
import { make, setClass } from './dom.js';

/** Says nothing to a screen reader: the word stands beside it. */
export function mark(): HTMLElement {
  const element = make('span', 'mark unknown');
  element.setAttribute('aria-hidden', 'true');
  return element;
}

export function setMark(element: Element, tone: Tone): void {
  setClass(element, `mark ${tone}`);
}
