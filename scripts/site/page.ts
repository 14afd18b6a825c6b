// Renders one page of Markdown: HTML, its title, its sections for the search, and the files that it shows or links to.
import { posix } from 'node:path';
import { Anchors } from './anchor.js';
import type { Markdown, Token } from './libraries.js';

export interface PageSource {
  /** Inside the tree: `docs/shutdown.md`. */
  readonly path: string;
  readonly text: string;
}

export interface Section {
  /** `docs/shutdown.html#phases`. */
  readonly id: string;
  readonly title: string;
  readonly page: string;
  readonly text: string;
}

export interface Rendered {
  readonly title: string;
  readonly html: string;
  readonly sections: readonly Section[];
  /** Paths inside the tree. */
  readonly files: readonly string[];
}

/** Where a page of the tree lies on the site. */
export const placeOf = (path: string): string =>
  path.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html');

export function render({ path, text }: PageSource, markdown: Markdown): Rendered {
  const tokens = markdown.parse(text, {});
  const anchors = new Anchors();
  const place = placeOf(path);
  const files: string[] = [];
  const sections: { id: string; title: string; text: string }[] = [{ id: place, title: '', text: '' }];
  tokens.forEach((token, index) => {
    if (token.type === 'heading_open') {
      const title = tokens[index + 1]?.content ?? '';
      const anchor = anchors.next(title);
      token.attrSet('id', anchor);
      sections.push({ id: `${place}#${anchor}`, title: plain(tokens[index + 1]), text: '' });
    } else if (token.type === 'inline' && tokens[index - 1]?.type !== 'heading_open') add(plain(token));
    else if (token.type === 'fence' || token.type === 'code_block') add(token.content);
    for (const one of token.children ?? []) link(one);
  });
  const [, first] = sections;
  const title = first?.title ?? path;
  return {
    title,
    html: markdown.renderer.render(tokens, markdown.options, {}),
    sections: sections.slice(1).map((section) => ({ ...section, page: title })),
    files,
  };

  function add(words: string): void {
    const last = sections.at(-1);
    if (last !== undefined) last.text += `${words}\n`;
  }

  function link(token: Token): void {
    const name = token.type === 'link_open' ? 'href' : token.type === 'image' ? 'src' : null;
    const target = name === null ? null : token.attrGet(name);
    if (name === null || target === null || /^(?:[a-z][a-z+.-]*:|#)/i.test(target)) return;
    const [file = '', anchor] = target.split('#');
    if (!file.endsWith('.md')) files.push(posix.join(posix.dirname(path), decodeURIComponent(file)));
    else token.attrSet(name, placeOf(file) + (anchor === undefined ? '' : `#${anchor}`));
  }
}

function plain(token: Token | undefined): string {
  return (token?.children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');
}
