// The codec of io-ts that follows from the keys of a table.
import type * as t from 'io-ts';
import type { Checked } from '../../../shared/domain/base/checked.js';
import { closed } from '../../../shared/domain/base/closed-record.js';
import type { KeyDeclaration, Keys, RawInput } from '../../../shared/domain/base/keys.js';
import { listUpTo, typeOf } from './values.js';

/** The codec of a table with these keys and no others. */
export function codecOf<K extends Keys>(keys: K): t.Type<RawInput<K>> {
  const must: Record<string, t.Mixed> = {};
  const may: Record<string, t.Mixed> = {};
  for (const [name, entry] of Object.entries(keys))
    (isRequired(entry) ? must : may)[name] = entryCodec(entry);
  // The shape is computed from `keys`, which the compiler cannot follow through Object.entries.
  return closed(must, may) as unknown as t.Type<RawInput<K>>;
}

export const isRequired = (entry: KeyDeclaration): boolean =>
  entry.kind === 'key' && entry.fallback === undefined;

function entryCodec(entry: KeyDeclaration): t.Mixed {
  if (entry.kind === 'table') return codecOf(entry.keys);
  if (entry.kind === 'rows') return listUpTo(entry.max, codecOf(entry.keys), 'a list of tables');
  return typeOf(entry.codec);
}

/** Whether the file may have `value` for a key. */
export const accepts = (codec: Checked<unknown>, value: unknown): boolean =>
  typeOf(codec).decode(value)._tag === 'Right';
