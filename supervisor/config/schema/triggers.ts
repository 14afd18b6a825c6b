// [triggers], also under [[ups]] and [[redundancy_groups]]: the keys of the trigger table as a schema.
import * as t from 'io-ts';
import { integerFrom, numberFrom, oneOf } from '../../../shared/domain/base/units.js';
import type { Key, Keys, Values } from '../../../shared/domain/triggers/keys.js';
import { triggerKeys as keysOfTable } from '../../../shared/domain/triggers/table.js';
import type { Entry, Optional, Table } from './key.js';
import { optional, table } from './key.js';

type EntryOf<K> = K extends { readonly kind: 'table'; readonly keys: infer S }
  ? Table<SchemaOf<S>>
  : Optional<t.Type<Values<{ key: K }>['key']>, Values<{ key: K }>['key']>;

type SchemaOf<K> = { readonly [N in keyof K]: EntryOf<K[N]> };

// The shape is computed from the table, which the compiler cannot follow through Object.entries.
export const triggerKeys = schemaOf(keysOfTable) as SchemaOf<typeof keysOfTable>;

function schemaOf(keys: Keys): Readonly<Record<string, Entry>> {
  return Object.fromEntries(Object.entries(keys).map(([name, key]) => [name, entryOf(key)]));
}

function entryOf(key: Key): Entry {
  switch (key.kind) {
    case 'table':
      return table(schemaOf(key.keys));
    case 'number':
      return optional(numberFrom(key.low, key.high, key.unit.words), key.fallback);
    case 'count':
      return optional(integerFrom(key.low, key.high), key.fallback);
    case 'switch':
      return optional(t.boolean, key.fallback);
    case 'word':
      return optional(oneOf(...key.words), key.fallback);
  }
}
