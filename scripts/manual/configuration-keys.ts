// Describes every key of the configuration: what the schema expects and defaults to, with what the reference file says of it.
import { fileKeys } from '../../supervisor/config/schema/file.js';
import type { KeyDeclaration, Keys } from '../../shared/domain/base/keys.js';
import { table } from '../../shared/domain/base/keys.js';
import { referenceLines, referenceSections } from './reference-file.js';

export interface DescribedKey {
  readonly name: string;
  /** "a number from 0 to 100 percent". */
  readonly expected: string;
  readonly text: string;
}

export interface DescribedTable {
  /** `[[ups.remote_servers]]`. */
  readonly header: string;
  readonly text: string;
  readonly keys: readonly DescribedKey[];
}

interface Place {
  readonly path: string;
  readonly header: string;
}

/** Every table of the file. One with the keys of another names that one: `[ups.triggers]` has the keys of `[triggers]`. */
export function describedTables(reference: string): readonly DescribedTable[] {
  const comments = new Map(
    referenceLines(reference).map((line) => [`${line.section}.${line.key}`, line.comment]),
  );
  const sections = referenceSections(reference);
  // Global tables first: a table below a UPS overrides its global one, and not the other way round.
  const top = Object.entries(fileKeys as Keys);
  const ordered = [...top.filter(([, { kind }]) => kind === 'table'), ...top];
  const homes = new Map<KeyDeclaration, Place>();
  for (const [name, entry] of ordered)
    visit(name, entry, (place, declaration) => homes.has(declaration) || homes.set(declaration, place));

  const tables: DescribedTable[] = [];
  for (const [name, entry] of top)
    visit(
      name,
      entry,
      () => undefined,
      (place, keys) => {
        const entries = Object.entries(keys).filter(([, one]) => isKey(one));
        const shared = homes.get(entries[0]?.[1] ?? table(keys));
        const inherits = shared !== undefined && shared.path !== place.path;
        if (inherits && entries.every(([, one]) => homes.get(one)?.path === shared.path)) {
          const names = entries.map(([key]) => key).join(', ');
          tables.push({ header: place.header, text: `As ${shared.header}: ${names}.`, keys: [] });
        } else if (entries.length > 0)
          tables.push({
            header: place.header,
            text: sentence(sections.get(place.path) ?? ''),
            keys: entries.map(([key, one]) =>
              describeKey(key, one, comments.get(`${place.path}.${key}`) ?? ''),
            ),
          });
      },
    );
  return tables;
}

const isKey = (entry: KeyDeclaration): boolean => entry.kind === 'key';

/** Calls `each` for the keys and `table` for the tables of an entry, from the outside inwards. */
function visit(
  path: string,
  entry: KeyDeclaration,
  each: (place: Place, key: KeyDeclaration) => void,
  table?: (place: Place, keys: Keys) => void,
): void {
  if (entry.kind !== 'table' && entry.kind !== 'rows') return;
  const place = { path, header: entry.kind === 'rows' ? `[[${path}]]` : `[${path}]` };
  for (const declaration of Object.values(entry.keys)) if (isKey(declaration)) each(place, declaration);
  table?.(place, entry.keys);
  for (const [name, one] of Object.entries(entry.keys)) visit(`${path}.${name}`, one, each, table);
}

function describeKey(name: string, entry: KeyDeclaration, comment: string): DescribedKey {
  if (entry.kind !== 'key') throw new Error(`${name} is no key`);
  const expected = entry.codec.name === 'boolean' ? 'true or false' : entry.codec.name;
  if (entry.fallback === undefined)
    return { name, expected, text: joined('Required', without(comment, 'required')) };
  const rest = without(comment, 'default', 'no default');
  // "default []: all" says what the default means.
  if (/^(?:no )?default\b/.test(rest)) return { name, expected, text: sentence(rest) };
  const fallback =
    entry.fallback === null
      ? 'No default'
      : `Default: ${JSON.stringify(entry.fallback).replaceAll('","', '", "')}`;
  return { name, expected, text: /^overrides\b/.test(rest) ? sentence(rest) : joined(fallback, rest) };
}

/** The comment without what the schema says itself: the mark, the words, the bounds. */
function without(comment: string, ...marks: readonly string[]): string {
  return comment
    .replace(new RegExp(`^(?:${marks.join('|')})(?: (?:true|false|\\d+))?(?:[;,] |$)`), '')
    .replace(/^(?:"[^"]*" \| )+(?:"[^"]*"(?:; |$))?|^[\d.]+ to [\d.]+(?:; |$)/, '')
    .replace(/; [\d.]+ to [\d.]+$/, '');
}

const joined = (first: string, rest: string): string => `${first}. ${sentence(rest)}`.trim();

function sentence(text: string): string {
  if (text === '') return '';
  // A word of prose, not the value of a key.
  const capital = /^(?:default:|[a-z]+[ ,;.])/.test(text)
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : text;
  return /[.)]$/.test(capital) ? capital : `${capital}.`;
}
