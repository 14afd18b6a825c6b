// Creates and changes elements. Sets text as text only, because the name of a UPS may look like HTML.

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

/** Writes only a different text: nothing flickers, and a screen reader does not repeat the text. */
export function setText(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function setClass(element: Element, className: string): void {
  if (element.className !== className) element.className = className;
}

export function setAttribute(element: Element, name: string, value: string | null): void {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Gives `parent` exactly these children in this order. Moves none that is already in its place. */
export function setChildren(parent: Element, children: readonly Element[]): void {
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

/** A button that calls `act`. Its type is never submit. */
export function button(text: string, className: string, act: () => void): HTMLButtonElement {
  const made = make('button', className, text);
  made.type = 'button';
  made.addEventListener('click', act);
  return made;
}

let lastId = 0;
/** An id that is unique on the page: it connects a label with its field. */
export function uniqueId(): string {
  return `e${String(++lastId)}`;
}
