// Paths of configuration entries (specification/api-writes.md#reload): `ups[office@127.0.0.1:3493].check_interval`.

/** Lists whose elements are identified by name. */
const named = new Set(['ups', 'remote_servers', 'redundancy_groups']);

/** An element of a list, by its name or place. */
export const elementLabel = (list: string, element: string | number): string => `${list}[${String(element)}]`;
export const upsLabel = (name: string): string => elementLabel('ups', name);
export const groupLabel = (name: string): string => elementLabel('redundancy_groups', name);
export const serverLabel = (owner: string, name: string): string =>
  elementLabel(`${owner}.remote_servers`, name);

/** The dotted path of `keys` in `tree`. An element of a named list is shown by its name if that is printable. */
export function labelOf(keys: readonly string[], tree: unknown): string {
  let path = '';
  let here: unknown = tree;
  keys.forEach((key, index) => {
    const parentIsList = Array.isArray(here);
    here = childOf(here, key);
    if (parentIsList) path += `[${named.has(keys[index - 1] ?? '') ? (nameOf(here) ?? key) : key}]`;
    else path += `${path === '' ? '' : '.'}${shownKey(key)}`;
  });
  return path;
}

/** Quotes a key that is not a plain word, as in TOML, and shortens it, because it comes from outside. */
function shownKey(key: string): string {
  return /^[A-Za-z0-9_-]{1,64}$/.test(key) ? key : JSON.stringify(key.slice(0, 64));
}

function nameOf(element: unknown): string | undefined {
  const name = childOf(element, 'name');
  return typeof name === 'string' && /^[\x21-\x7e][\x20-\x7e]{0,127}$/.test(name) ? name : undefined;
}

function childOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}
