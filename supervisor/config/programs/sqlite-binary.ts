// Whether the npm package sqlite3 has its binary, which npm does not always make. Used only by the reader process; loads nothing.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** A warning when the binary is missing: history and users are off, and everything else works. */
export function sqliteWarnings(from = import.meta.url): readonly string[] {
  const folder = folderOf(from);
  if (folder !== null && existsSync(join(folder, 'build/Release/node_sqlite3.node'))) return [];
  const remedy =
    folder === null
      ? 'the npm package sqlite3 is not installed'
      : `run, with g++, make and python3 installed: cd ${join(folder, '../..')} && npm rebuild sqlite3`;
  return [
    `sqlite3 has no binary on this machine, so no history is kept and no user of the API can be read; npm did not run its install script, or that failed; ${remedy}`,
  ];
}

function folderOf(from: string): string | null {
  try {
    return dirname(createRequire(from).resolve('sqlite3/package.json'));
  } catch {
    return null;
  }
}
