// A key of the configuration, declared once: what it takes, its default, its form in the program. The decoder, the settings of the
// program, the paths of a reload and the manual follow from it (docs/decisions/0109-a-key-is-declared-once.md). No codecs: the page imports the triggers.
import type { CamelCase, InCamelCase } from './camel-case.js';
import { camelCase, inCamelCase } from './camel-case.js';
import type { Checked, PlainShape } from './checked.js';
import { integerIn, numberIn, trueOrFalse, wordOf } from './checked.js';

/** What both kinds of keys have. `A`: in the file. `P`, `S`: the value in the program, and what its name there has at its end. */
interface Value<A, P, S extends string> {
  readonly codec: Checked<A> & { readonly shape?: PlainShape };
  /** Of a number that is shown; "" for none. */
  readonly symbol: string;
  readonly suffix: S;
  /** Null for what may be shown. */
  readonly secret: Secret | null;
  inProgram(value: A): P;
}

/** A secret, of which the file has the source. */
export interface Secret {
  /** The key has a list or a table of them. */
  readonly several: boolean;
  readonly faultOf: (text: string) => string | undefined;
  /** What the log must hide. `isLiteral`: the file itself has the text. */
  readonly hides: (text: string, isLiteral: boolean) => readonly string[];
  /** Also what is too short to be hidden elsewhere. */
  readonly evenShort: boolean;
}

/** A key that may be omitted; `fallback` is its default, in the unit of the file. */
export interface Optional<A = unknown, D = unknown, P = unknown, S extends string = string>
  extends Value<A, P, S>, Marks {
  readonly kind: 'optional';
  readonly fallback: D;
}

export interface Required<A = unknown, P = unknown, S extends string = string> extends Value<A, P, S>, Marks {
  readonly kind: 'required';
}

/** A table inside a table: `[triggers.depletion]`. */
export interface Table<K extends Keys = Keys> extends Marks {
  readonly kind: 'table';
  readonly keys: K;
  /** It overrides a global table: its missing keys have no default. */
  readonly overrides: boolean;
}

/** A list of tables: `[[ups]]`. Bounded, as every input. */
export interface Rows<K extends Keys = Keys> extends Marks {
  readonly kind: 'rows';
  readonly keys: K;
  readonly max: number;
}

/** Of a table or list they hold for every key below it. */
interface Marks {
  /** A running daemon keeps the value that it was started with. */
  readonly needsRestart?: true;
  /** The summary of the API shows it. */
  readonly shown?: true;
}

export type Entry = Optional | Required | Table | Rows;
export interface Keys {
  readonly [name: string]: Entry;
}

type InFile<E> =
  E extends Table<infer K>
    ? RawInput<K>
    : E extends Rows<infer K>
      ? readonly RawInput<K>[]
      : E extends Value<infer A, unknown, string>
        ? A
        : never;

/** The decoded keys of the file; omitted keys are absent. */
export type RawInput<K extends Keys> = {
  readonly [N in keyof K as K[N] extends Required ? N : never]: InFile<K[N]>;
} & { readonly [N in keyof K as K[N] extends Required ? never : N]?: InFile<K[N]> };

/** In the names and units of the file. */
export type WithDefaults<K extends Keys> = {
  readonly [N in keyof K]: K[N] extends Table<infer S>
    ? WithDefaults<S>
    : K[N] extends Optional<infer A, infer D>
      ? A | Extract<D, null>
      : InFile<K[N]>;
};

type Setting<E> =
  E extends Table<infer K>
    ? Settings<K>
    : E extends Rows<infer K>
      ? readonly Settings<K>[]
      : E extends Optional<infer _, infer D, infer P>
        ? P | Extract<D, null>
        : E extends Required<infer _, infer P>
          ? P
          : never;
type SuffixOf<E> = E extends Value<infer _, unknown, infer S> ? S : '';

/** In the names and units of the program: `publish_interval` as `publishIntervalMs`. */
export type Settings<K extends Keys> = {
  readonly [N in keyof K & string as ProgramName<CamelCase<N>, SuffixOf<K[N]>>]: Setting<K[N]>;
};
type ProgramName<N extends string, S extends string> = N extends `${string}${S}` ? N : `${N}${S}`;

type ShownKeys<K extends Keys> = {
  readonly [N in keyof K as K[N] extends { readonly shown: true } ? N : never]: K[N];
};

/** In a message: `a number from 0 to 100 percent`; after a number: `%`. */
export interface Unit {
  readonly words: string;
  readonly symbol: string;
}

const second: Unit = { words: 'seconds', symbol: 's' };
export const percent: Unit = { words: 'percent', symbol: '%' };
export const day = 86_400;

/** Durations of the file are seconds, those of the program mostly milliseconds. */
export const ms = (inSeconds: number): number => Math.round(inSeconds * 1000);

const same = <A>(value: A): A => value;

/** A value of any codec, in the program as in the file. */
export const optional = <A, const D extends A | null>(
  codec: Checked<A> & { readonly shape?: PlainShape },
  fallback: D,
  symbol = '',
): Optional<A, D, A, ''> => ({
  kind: 'optional',
  codec,
  fallback,
  symbol,
  suffix: '',
  secret: null,
  inProgram: same,
});
export const required = <A>(codec: Checked<A>): Required<A, A, ''> => ({
  kind: 'required',
  codec,
  symbol: '',
  suffix: '',
  secret: null,
  inProgram: same,
});
export const table = <K extends Keys>(keys: K): Table<K> => ({ kind: 'table', keys, overrides: false });
/** A table of one UPS or group that overrides a global one, key by key. */
export const overriding = <K extends Keys>(keys: K): Table<K> => ({ kind: 'table', keys, overrides: true });
export const rows = <K extends Keys>(keys: K, max: number): Rows<K> => ({ kind: 'rows', keys, max });

export const onOff = <D extends boolean | null>(fallback: D): Optional<boolean, D, boolean, ''> =>
  optional<boolean, D>(trueOrFalse, fallback);
export const word = <const W extends readonly [string, ...string[]], D extends W[number] | null>(
  words: W,
  fallback: D,
): Optional<W[number], D, W[number], ''> => optional<W[number], D>(wordOf(words), fallback);
export const count = <D extends number | null>(low: number, high: number, fallback: D, unit = '') =>
  optional<number, D>(integerIn(low, high, unit), fallback);
export const number = <D extends number | null>(low: number, high: number, unit: Unit, fallback: D) =>
  optional<number, D>(numberIn(low, high, unit.words), fallback, unit.symbol);
/** The unit of a number that is nowhere shown with it. */
export const unit = (words: string): Unit => ({ words, symbol: '' });
/** A time that is in seconds in the program too. */
export const seconds = <D extends number | null>(low: number, high: number, fallback: D) => ({
  ...number(low, high, second, fallback),
  suffix: 'Seconds' as const,
});
export const wholeSeconds = <D extends number | null>(low: number, high: number, fallback: D) => ({
  ...count(low, high, fallback, second.words),
  suffix: 'Seconds' as const,
});
/** A time that is in milliseconds in the program. */
export const duration = <D extends number | null>(low: number, high: number, fallback: D) =>
  inMs(number(low, high, second, fallback));
export const inMs = <D>(key: Optional<number, D>): Optional<number, D, number, 'Ms'> => ({
  ...key,
  suffix: 'Ms',
  inProgram: ms,
});
/** With another value in the program: null for "", a fingerprint without colons. */
export const converted = <A, D, S extends string, P>(
  key: Optional<A, D, unknown, S>,
  inProgram: (value: A) => P,
): Optional<A, D, P, S> => ({ ...key, inProgram });
/** A text that is null in the program where the file has "". */
export const orNone = <D>(key: Optional<string, D>): Optional<string, D, string | null, ''> => ({
  ...key,
  suffix: '',
  inProgram: (text) => (text === '' ? null : text),
});
export const needsRestart = <E extends Entry>(entry: E): E => ({ ...entry, needsRestart: true });
export const shown = <E extends Entry>(entry: E): E & { readonly shown: true } => ({ ...entry, shown: true });

/** What `given` layers say of one key, the last one last. */
const valuesOf = (name: string, given: readonly (object | undefined)[]): readonly unknown[] =>
  given
    .map((layer) => (layer as Readonly<Record<string, unknown>> | undefined)?.[name])
    .filter((value) => value !== undefined);

/** The defaults, overridden by each of `given` in order: `withDefaults(keys, global, own)`. Lists are replaced, not merged. */
export function withDefaults<K extends Keys>(
  keys: K,
  ...given: readonly (object | undefined)[]
): WithDefaults<K> {
  const result: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(keys)) {
    const values = valuesOf(name, given);
    if (entry.kind === 'table') result[name] = withDefaults(entry.keys, ...(values as object[]));
    else if (values.length > 0) result[name] = values.at(-1);
    else if (entry.kind === 'rows') result[name] = [];
    else if (entry.kind === 'optional') result[name] = entry.fallback;
  }
  return result as WithDefaults<K>;
}

/** As `withDefaults`, for the program: its names, its units, its values. */
export function settingsOf<K extends Keys>(keys: K, ...given: readonly (object | undefined)[]): Settings<K> {
  const result: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(keys)) {
    const values = valuesOf(name, given);
    const last = values.at(-1);
    if (entry.kind === 'table') result[camelCase(name)] = settingsOf(entry.keys, ...(values as object[]));
    else if (entry.kind === 'rows')
      result[camelCase(name)] = ((last ?? []) as object[]).map((row) => settingsOf(entry.keys, row));
    else {
      const value = last ?? (entry.kind === 'optional' ? entry.fallback : undefined);
      const inCamel = camelCase(name);
      result[inCamel.endsWith(entry.suffix) ? inCamel : inCamel + entry.suffix] =
        value === null ? null : entry.inProgram(value);
    }
  }
  return result as Settings<K>;
}

/** As `withDefaults`, but only what is shown, in the names that JSON has. */
export function shownOf<K extends Keys>(
  keys: K,
  ...given: readonly (object | undefined)[]
): InCamelCase<WithDefaults<ShownKeys<K>>> {
  const shownKeys = Object.fromEntries(Object.entries(keys).filter(([, entry]) => entry.shown === true));
  return inCamelCase(withDefaults(shownKeys as ShownKeys<K>, ...given));
}
