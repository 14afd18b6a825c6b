// The given keys that differ from their defaults. A key with its default value is never an error, in any table.
import type { Keys } from '../../../shared/domain/base/keys.js';

/** Dotted paths, below `keys`, of the values of `given` that differ from the default. A non-empty list differs. */
export function nonDefaultKeys(keys: Keys, given: object | undefined): readonly string[] {
  return Object.entries(given ?? {}).flatMap(([name, value]: [string, unknown]) => {
    const entry = keys[name];
    if (entry === undefined || value === undefined) return [];
    if (entry.kind === 'table') {
      return nonDefaultKeys(entry.keys, value as object).map((below) => `${name}.${below}`);
    }
    const usual = entry.kind === 'key' ? entry.fallback : [];
    return same(value, usual) ? [] : [name];
  });
}

/** Values of the file are plain data, so a comparison of their JSON is enough. */
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
