// Prints the folders of the npm packages that the product loads at run time, below the present folder. Left out is what
// only compiles or fetches native code during `npm install`. Usage: node dist/scripts/packaging/runtime-packages.js
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** By the package that names them. Each is loaded by an install script, or is optional native code that is not used. */
const installTime: Readonly<Record<string, readonly string[]>> = {
  'node_modules/sqlite3': ['node-addon-api', 'node-gyp', 'prebuild-install', 'tar'],
  'node_modules/ssh2': ['cpu-features', 'nan'],
  'node_modules/bunyan': ['dtrace-provider'],
  'node_modules/piscina': ['@napi-rs/nice'],
};

const read = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Where Node finds `name` from a file in `folder`; null for an optional package that is not there. */
function found(name: string, folder: string): string | null {
  const place = join(folder, 'node_modules', name);
  if (existsSync(join(place, 'package.json'))) return place;
  return folder === '.' ? null : found(name, dirname(folder));
}

function add(folder: string, names: Readonly<Record<string, string>> | undefined, into: Set<string>): void {
  for (const name of Object.keys(names ?? {})) {
    if (installTime[folder]?.includes(name) === true || name.startsWith('@types/')) continue;
    const place = found(name, folder);
    if (place === null || into.has(place)) continue;
    into.add(place);
    const { dependencies, optionalDependencies } = read(place);
    add(place, dependencies, into);
    add(place, optionalDependencies, into);
  }
}

const packages = new Set<string>();
add('.', read('.').dependencies, packages);
// A package that lies inside another one comes with it.
const isInside = (place: string): boolean => place.lastIndexOf('/node_modules/') > 0;
for (const place of [...packages].filter((place) => !isInside(place)).toSorted())
  process.stdout.write(`${place}\n`);
