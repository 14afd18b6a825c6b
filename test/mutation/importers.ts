// Which unit tests load a file of the program, the nearest first, by the imports of what is compiled.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { repository } from './sandbox.js';

const built = join(repository, 'dist');
/** Tests of everything at once, which take too long for each mutant. */
const notUnits = /^(integration|simulation|mutation)\//;
const specifier = /\b(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+\.js)['"]/g;

const imports = new Map<string, readonly string[]>();
let distances: ReadonlyMap<string, ReadonlyMap<string, number>> | null = null;

/** The names of the tests whose modules include `file`: those named like it, those of its folder, the fewest imports away. */
export function importersOf(file: string): readonly string[] {
  const compiled = join(built, file.replace(/\.ts$/, '.js'));
  distances ??= new Map(unitTests().map((test) => [test, distancesFrom(join(built, 'test', test))]));
  const found = [...distances].flatMap(([test, to]) => {
    const hops = to.get(compiled);
    const name = test.replace(/\.js$/, '.ts');
    return hops === undefined ? [] : [{ name, rank: rankOf(name, file) + hops }];
  });
  return found.toSorted((a, b) => a.rank - b.rank || a.name.localeCompare(b.name)).map(({ name }) => name);
}

function rankOf(test: string, file: string): number {
  if (basename(test, '.test.ts') === basename(file, '.ts') && dirname(test) === dirname(file)) return 0;
  if (dirname(test).startsWith(dirname(file))) return 100;
  return test.split('/', 2).join('/') === file.split('/', 2).join('/') ? 200 : 300;
}

function unitTests(): readonly string[] {
  return readdirSync(join(built, 'test'), { encoding: 'utf8', recursive: true }).filter(
    (name) => name.endsWith('.test.js') && !notUnits.test(name),
  );
}

/** How many imports away each module is. */
function distancesFrom(from: string): ReadonlyMap<string, number> {
  const known = new Map([[from, 0]]);
  // A Map goes on to what is added while it is read.
  for (const [path, hops] of known)
    for (const next of importsOf(path)) if (!known.has(next)) known.set(next, hops + 1);
  return known;
}

function importsOf(path: string): readonly string[] {
  const known = imports.get(path);
  if (known !== undefined) return known;
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const found = [...text.matchAll(specifier)].map(([, to = '']) => join(dirname(path), to));
  imports.set(path, found);
  return found;
}
