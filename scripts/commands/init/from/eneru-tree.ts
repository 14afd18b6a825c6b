// Carries a section of Eneru's file by the names of its keys: most are the same here. What the daemon's own check refuses, and what
// it does not have, is left with the reason.
import type { DraftTable, TomlValue } from '../../../../shared/domain/setup/config-draft.js';
import type { Keys } from '../../../../shared/domain/base/keys.js';
import { leftOut } from './eneru-left.js';
import type { DraftSecrets } from './source.js';
import { carry } from './source.js';

export type Mapping = Readonly<Record<string, unknown>>;

export const isMapping = (u: unknown): u is Mapping =>
  typeof u === 'object' && u !== null && !Array.isArray(u);

/** The keys that both programs have. */
export const pick = (keys: Keys, names: readonly string[]): Keys =>
  Object.fromEntries(Object.entries(keys).filter(([name]) => names.includes(name)));

export function section(tree: Mapping, name: string): Mapping {
  const value = tree[name];
  return isMapping(value) ? value : {};
}

export interface Carrying {
  readonly secrets: DraftSecrets;
  /** Of the secrets. */
  readonly folder: string;
}

/** `path`: the section as Eneru names it, "" for the file. `except`: keys that the caller carries. */
export function carrySection(
  into: DraftTable,
  keys: Keys,
  section: Mapping,
  {
    path,
    except = [],
    carrying,
  }: { readonly path: string; readonly except?: readonly string[]; readonly carrying: Carrying },
): void {
  for (const [name, value] of Object.entries(section)) {
    // Null is Eneru's word for its default.
    if (except.includes(name) || value === null) continue;
    const full = path === '' ? name : `${path}.${name}`;
    const entry = Object.hasOwn(keys, name) ? keys[name] : undefined;
    const why = leftOut(full);
    if (entry === undefined || why !== undefined)
      into.leavesOut(shown(full), why ?? 'there is no such key here');
    else if (entry.kind === 'table') {
      if (isMapping(value)) carrySection(into.table(name), entry.keys, value, { path: full, carrying });
      else into.leavesOut(shown(full), 'it is no mapping');
    } else if (entry.kind === 'rows') into.leavesOut(shown(full), 'there is no such list here');
    else if (entry.secret !== null) carrySecret(into, name, value, { what: full, ...carrying });
    else carryValue(into, name, entry.codec, value, full);
  }
}

type Codec = Parameters<typeof carry>[2];

export function carryValue(
  into: DraftTable,
  key: string,
  codec: Codec,
  value: unknown,
  what: string,
): boolean {
  const plain = plainOf(value, 0);
  if (plain !== undefined) return carry(into, key, codec, plain, { what: shown(what) });
  into.leavesOut(shown(what), `${key} takes ${codec.name}`);
  return false;
}

export function carrySecret(
  into: DraftTable,
  key: string,
  value: unknown,
  { what, secrets, folder }: Carrying & { readonly what: string },
): boolean {
  if (value === '') return false;
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const file = secrets.add(what.replaceAll(/[^a-z]+/g, '-'), text, `${what} of Eneru`);
  if (file !== null) into.set(key, { file: `${folder}/${file}` });
  else into.leavesOut(shown(what), 'no secret can hold it');
  return file !== null;
}

/** Names come from the file. */
const shown = (path: string): string => path.slice(0, 100);

/** Far deeper than any value of a configuration. */
const maxDepth = 8;

/** Scalars, lists and mappings of YAML as values of TOML; undefined for what is neither. A date is its text. */
function plainOf(value: unknown, depth: number): TomlValue | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? undefined : value.toISOString().slice(0, 10);
  if (depth >= maxDepth || typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return allOf(value.map((one) => plainOf(one, depth + 1)));
  const pairs = Object.entries(value).map(([key, one]) => [key, plainOf(one, depth + 1)] as const);
  const good = pairs.filter((pair): pair is readonly [string, TomlValue] => pair[1] !== undefined);
  return good.length === pairs.length ? Object.fromEntries(good) : undefined;
}

function allOf(values: readonly (TomlValue | undefined)[]): readonly TomlValue[] | undefined {
  const good = values.filter((value) => value !== undefined);
  return good.length === values.length ? good : undefined;
}
