// A step of the build: writes the manual pages to dist/man and the completions of the shells to dist/completions.
// Usage: node dist/scripts/manual/main.js
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { version } from '../../shared/domain/base/version.js';
import { catalogue } from '../commands/catalogue.js';
import { commandPages } from './command-pages.js';
import { bashCompletion } from './completions/bash.js';
import { fishCompletion } from './completions/fish.js';
import { zshCompletion } from './completions/zsh.js';
import { commandTree } from './completions/tree.js';
import { configurationPage } from './configuration-page.js';
import { head } from './roff.js';

const tree = fileURLToPath(new URL('../../../', import.meta.url));

function write(folder: string, files: ReadonlyMap<string, string>): void {
  const path = join(tree, 'dist', folder);
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  for (const [name, text] of files) writeFileSync(join(path, name), text);
}

/** The convention of reproducible builds: a package states the date of its sources. */
function date(): string {
  const epoch = process.env['SOURCE_DATE_EPOCH'];
  return new Date(epoch === undefined ? Date.now() : Number(epoch) * 1000).toISOString().slice(0, 10);
}

const reference = readFileSync(join(tree, 'docs/config.reference.toml'), 'utf8');
const pages = [...commandPages(catalogue), configurationPage(reference)];
const today = date();
write(
  'man',
  new Map(
    pages.map((page) => [`${page.name}.${String(page.number)}`, head(page, version, today) + page.body]),
  ),
);
const commands = commandTree(catalogue);
write(
  'completions',
  new Map([
    ['ridethrough.bash', bashCompletion(commands)],
    ['_ridethrough', zshCompletion(commands)],
    ['ridethrough.fish', fishCompletion(commands)],
  ]),
);
