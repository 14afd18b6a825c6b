// The shape of the configuration file as data: every key with its codec and its default. Codec, defaults, hints and paths
// follow from this description; it alone defines defaults, but for [triggers] (shared/domain/triggers/).
import type * as t from 'io-ts';
import { closed } from '../../../shared/domain/base/closed-record.js';
import { listUpTo } from './values.js';

/** A key that may be omitted; `fallback` is its default. */
export interface Optional<C extends t.Mixed = t.Mixed, D = unknown> {
  readonly kind: 'optional';
  readonly codec: C;
  readonly fallback: D;
}

export interface Required<C extends t.Mixed = t.Mixed> {
  readonly kind: 'required';
  readonly codec: C;
}

/** A table inside a table: `[triggers.depletion]`. */
export interface Table<K extends Keys = Keys> {
  readonly kind: 'table';
  readonly keys: K;
}

/** A list of tables: `[[ups]]`. Bounded, as every input. */
export interface Rows<K extends Keys = Keys> {
  readonly kind: 'rows';
  readonly keys: K;
  readonly max: number;
}

export type Entry = Optional | Required | Table | Rows;
export interface Keys {
  readonly [name: string]: Entry;
}

type Value<E> =
  E extends Table<infer K>
    ? RawInput<K>
    : E extends Rows<infer K>
      ? readonly RawInput<K>[]
      : E extends { readonly codec: infer C extends t.Mixed }
        ? t.TypeOf<C>
        : never;

/** The decoded keys of the file; omitted keys are absent. */
export type RawInput<K extends Keys> = {
  readonly [N in keyof K as K[N] extends Required ? N : never]: Value<K[N]>;
} & { readonly [N in keyof K as K[N] extends Required ? never : N]?: Value<K[N]> };

export type WithDefaults<K extends Keys> = {
  readonly [N in keyof K]: K[N] extends Table<infer S>
    ? WithDefaults<S>
    : K[N] extends Optional<infer C, infer D>
      ? t.TypeOf<C> | D
      : Value<K[N]>;
};

export const optional = <C extends t.Mixed, const D extends t.TypeOf<C> | null>(
  codec: C,
  fallback: D,
): Optional<C, D> => ({ kind: 'optional', codec, fallback });
export const required = <C extends t.Mixed>(codec: C): Required<C> => ({ kind: 'required', codec });
export const table = <K extends Keys>(keys: K): Table<K> => ({ kind: 'table', keys });
export const rows = <K extends Keys>(keys: K, max: number): Rows<K> => ({ kind: 'rows', keys, max });

/** The codec of a table with these keys and no others. */
export function codecOf<K extends Keys>(keys: K): t.Type<RawInput<K>> {
  const must: Record<string, t.Mixed> = {};
  const may: Record<string, t.Mixed> = {};
  for (const [name, entry] of Object.entries(keys)) {
    if (entry.kind === 'required') must[name] = entry.codec;
    else may[name] = entryCodec(entry);
  }
  // The shape is computed from `keys`, which the compiler cannot follow through Object.entries.
  return closed(must, may) as unknown as t.Type<RawInput<K>>;
}

function entryCodec(entry: Optional | Table | Rows): t.Mixed {
  if (entry.kind === 'table') return codecOf(entry.keys);
  if (entry.kind === 'rows') return listUpTo(entry.max, codecOf(entry.keys), 'a list of tables');
  return entry.codec;
}

/** The defaults, overridden by each of `given` in order: `withDefaults(keys, global, own)`. Lists are replaced, not merged. */
export function withDefaults<K extends Keys>(
  keys: K,
  ...given: readonly (object | undefined)[]
): WithDefaults<K> {
  const result: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(keys)) {
    const values = given
      .map((layer) => (layer as Record<string, unknown> | undefined)?.[name])
      .filter((value) => value !== undefined);
    if (entry.kind === 'table') result[name] = withDefaults(entry.keys, ...(values as object[]));
    else if (values.length > 0) result[name] = values.at(-1);
    else if (entry.kind === 'rows') result[name] = [];
    else if (entry.kind === 'optional') result[name] = entry.fallback;
  }
  return result as WithDefaults<K>;
}
