// Which given keys differ from their defaults: a key with its default value is never an error, wherever it stands.
import type { Keys } from './key.js';

/** Dotted paths, below `keys`, of what `given` sets to something else than the default. Non-empty lists differ. */
export function nonDefaultKeys(keys: Keys, given: object | undefined): readonly string[] {
  return Object.entries(given ?? {}).flatMap(([name, value]: [string, unknown]) => {
    const entry = keys[name];
    if (entry === undefined || value === undefined) return [];
    if (entry.kind === 'table') {
      return nonDefaultKeys(entry.keys, value as object).map((below) => `${name}.${below}`);
    }
    if (entry.kind === 'optional') return same(value, entry.fallback) ? [] : [name];
    return same(value, []) ? [] : [name];
  });
}

/** Values of the file are plain data, so their text tells them apart. */
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
