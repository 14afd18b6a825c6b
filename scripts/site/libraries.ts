// The two libraries of the site, from the folder that site.sh installs them to: they are no packages of this program, so
// what is used of them is declared here.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

export interface Token {
  readonly type: string;
  readonly tag: string;
  readonly content: string;
  readonly children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

export interface Markdown {
  readonly renderer: { render(tokens: Token[], options: object, environment: object): string };
  readonly options: object;
  parse(text: string, environment: object): Token[];
}

export interface SearchIndex {
  addAll(documents: readonly object[]): void;
  search(words: string): readonly { readonly id: string }[];
  toJSON(): object;
}

export interface Libraries {
  readonly markdown: Markdown;
  readonly newIndex: () => SearchIndex;
  /** The search library for the browser, with the notice that its licence asks for. */
  readonly searchScript: string;
}

/** What the index of the build and the one of the browser must agree on. */
const searchOptions = { fields: ['title', 'text'], storeFields: ['title', 'page'] };

export function loadLibraries(folder: string): Libraries {
  const load = createRequire(join(folder, 'package.json'));
  const markdownIt = load('markdown-it') as { default?: unknown };
  const MarkdownIt = (markdownIt.default ?? markdownIt) as (options: object) => Markdown;
  const MiniSearch = load('minisearch') as new (options: object) => SearchIndex;
  const minisearch = join(folder, 'node_modules/minisearch');
  const notice = readFileSync(join(minisearch, 'LICENSE.txt'), 'utf8').trim();
  return {
    markdown: MarkdownIt({ html: false, linkify: false }),
    newIndex: () => new MiniSearch(searchOptions),
    searchScript: `/*! MiniSearch\n${notice}\n*/\n${readFileSync(join(minisearch, 'dist/umd/index.js'), 'utf8')}`,
  };
}
