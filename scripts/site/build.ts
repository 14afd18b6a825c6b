// Builds the site: every page of the documentation and the generated reference, the search, and the files that they show.
import { build } from 'esbuild';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Libraries } from './libraries.js';
import { navigationOf } from './navigation.js';
import type { PageSource } from './page.js';
import { placeOf, render } from './page.js';
import { referencePages } from './reference/pages.js';
import { pageHtml } from './template.js';

export interface Site {
  readonly pages: number;
  readonly sections: number;
}

export async function buildSite(tree: string, libraries: Libraries, output: string): Promise<Site> {
  const read = (path: string): string => readFileSync(join(tree, path), 'utf8');
  const reference = referencePages(read('docs/config.reference.toml'));
  const sources: readonly PageSource[] = [
    ...[...besidesDocs, ...documents(join(tree, 'docs'))].map((path) => ({
      path,
      text: read(path),
    })),
    ...reference,
  ];
  const pages = sources.map((source) => ({
    place: placeOf(source.path),
    ...render(source, libraries.markdown),
  }));
  const titles = new Map(pages.map(({ place, title }) => [place, title]));
  const navigation = [
    { title: 'Ridethrough', places: ['README.md', 'docs/README.md'].map(placeOf) },
    ...navigationOf(read('docs/README.md')),
    { title: 'Reference', places: reference.map(({ path }) => placeOf(path)) },
  ];

  rmSync(output, { recursive: true, force: true });
  const write = (place: string, text: string): void => {
    mkdirSync(dirname(join(output, place)), { recursive: true });
    writeFileSync(join(output, place), text);
  };
  for (const page of pages) write(page.place, pageHtml(page, navigation, titles));
  for (const file of new Set(pages.flatMap(({ files }) => files)))
    cpSync(join(tree, file), join(output, file));

  const sections = pages.flatMap((page) => page.sections);
  const index = libraries.newIndex();
  index.addAll(sections);
  // A script and no data file: a page from a disk may load only scripts.
  write('search-index.js', `searchIndex = ${JSON.stringify(JSON.stringify(index))};\n`);
  write('minisearch.js', libraries.searchScript);
  cpSync(join(tree, 'web/icon.svg'), join(output, 'icon.svg'));
  await build({
    entryPoints: ['site.ts', 'site.css'].map((name) => join(tree, 'web/documentation', name)),
    outdir: output,
    bundle: true,
    minify: true,
    charset: 'utf8',
    logLevel: 'warning',
  });
  return { pages: pages.length, sections: sections.length };
}

const besidesDocs = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];

const documents = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name));
