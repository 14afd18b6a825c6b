// What is in the directory of the records, up to a bound.
import { opendir } from 'node:fs/promises';
import type { OpenDirectory } from './directory.js';

/** Ten times what recall looks at, for what was set aside. */
const maxNames = 20_000;

export interface Names {
  readonly names: Set<string>;
  /** There are more. */
  readonly isCut: boolean;
}

export async function namesIn(directory: OpenDirectory): Promise<Names> {
  const names = new Set<string>();
  for await (const { name } of await opendir(directory.path())) {
    if (names.size >= maxNames) return { names, isCut: true };
    names.add(name);
  }
  return { names, isCut: false };
}
