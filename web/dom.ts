// Making and changing elements. Text goes in as text only: a UPS may be named anything, also like HTML.

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className !== '') element.className = className;
  element.append(...children);
  return element;
}

/** Changes the text only when it differs, so that nothing flickers and no screen reader repeats itself. */
export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function setClass(element: Element, className: string): void {
  if (element.className !== className) element.className = className;
}

/** Children exactly these, in this order, moving none that is already in its place. */
export function arrange(parent: Element, children: readonly Element[]): void {
  children.forEach((child, index) => {
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null);
  });
  while (parent.children.length > children.length) parent.lastElementChild?.remove();
}

export function byId(id: string): HTMLElement {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`the page has no element ${id}`);
  return element;
}
