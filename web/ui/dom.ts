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

export function setAttribute(element: Element, name: string, value: string | null): void {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
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

/** Views by key, each made when first needed; those whose key is gone are forgotten. */
export class Kept<V> {
  readonly #made = new Map<string, V>();

  /** `forget`: what must be undone for one that is gone. */
  constructor(
    readonly make: (key: string) => V,
    readonly forget: (view: V) => void = () => undefined,
  ) {}

  of(key: string): V {
    const kept = this.#made.get(key) ?? this.make(key);
    this.#made.set(key, kept);
    return kept;
  }

  only(keys: readonly string[]): readonly V[] {
    for (const [key, view] of this.#made) {
      if (keys.includes(key)) continue;
      this.#made.delete(key);
      this.forget(view);
    }
    return keys.map((key) => this.of(key));
  }
}

/** A button that does one thing; `type` is never submit by accident. */
export function button(text: string, className: string, act: () => void): HTMLButtonElement {
  const made = make('button', className, text);
  made.type = 'button';
  made.addEventListener('click', act);
  return made;
}

let lastId = 0;
/** An id nobody else has, to tie labels and descriptions to what they belong to. */
export function freshId(): string {
  return `e${String(++lastId)}`;
}
