// Shows the view that the address names. Moves the focus to its heading, as a page load does.
import type { View } from './view.js';
import { byId, make } from '../ui/dom.js';

type Named = readonly [name: string, link: string, view: View];

export class Navigation {
  #current: Named;
  readonly #links = new Map<string, HTMLAnchorElement>();
  readonly #items = new Map<string, HTMLElement>();

  constructor(
    readonly views: readonly Named[],
    readonly changed: () => void,
  ) {
    const [first] = views;
    if (first === undefined) throw new Error('the page has no views');
    this.#current = first;
    for (const [name, link] of views) {
      if (link === '') continue;
      const anchor = make('a', '', link);
      anchor.href = `#/${name}`;
      const item = make('li', '', anchor);
      this.#links.set(name, anchor);
      this.#items.set(link, item);
      byId('views').append(item);
    }
  }

  start(): void {
    addEventListener('hashchange', () => this.#go(true));
    this.#go(false);
  }

  get current(): View {
    return this.#current[2];
  }

  showLink(link: string, shown: boolean): void {
    const item = this.#items.get(link);
    if (item !== undefined) item.hidden = !shown;
  }

  /** Switches to a view and allows no other. */
  require(name: string): void {
    if (this.#current[0] !== name) location.hash = `#/${name}`;
  }

  #go(byUser: boolean): void {
    const [name = '', ...rest] = location.hash.replace(/^#\/?/, '').split('/');
    const next = this.views.find((view) => view[0] === name) ?? this.views[0] ?? this.#current;
    if (next !== this.#current) this.#current[2].close?.();
    this.#current = next;
    const [active, , view] = next;
    const holder = byId('view');
    if (holder.firstElementChild !== view.root) holder.replaceChildren(view.root);
    for (const [link, anchor] of this.#links) {
      if (link === active) anchor.setAttribute('aria-current', 'page');
      else anchor.removeAttribute('aria-current');
    }
    view.open(rest.map(decodePart).join('/'));
    this.changed();
    if (!byUser) return;
    scrollTo(0, 0);
    const heading = view.root.querySelector<HTMLElement>('h1');
    heading?.setAttribute('tabindex', '-1');
    heading?.focus({ preventScroll: true });
  }
}

/** A user can type any address: an invalid escape sequence stays as it is. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
