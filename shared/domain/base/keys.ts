// A key of the configuration, declared once: what it takes, its default, its form in the program. The decoder, the settings of the
// program, the summary, the paths of a reload and the manual follow from it (docs/decisions/0112-a-key-is-declared-once.md). It needs
// no codecs: the page imports the triggers, and io-ts is no part of the page.
import type { CamelCase, InCamelCase } from './camel-case.js';
import { camelCase, inCamelCase } from './camel-case.js';
import type { Checked, PlainShape } from './checked.js';
import { integerIn, numberIn, trueOrFalse, wordOf } from './checked.js';

/** `A`: in the file. `D`: its default, in the unit of the file; undefined where it must be given. `P`, `S`: in the program. */
export interface Key<A = unknown, D = unknown, P = unknown, S extends string = string> extends Marks {
  readonly kind: 'key';
  readonly codec: Checked<A> & { readonly shape?: PlainShape };
  readonly fallback: D;
  /** Of a number: `seconds`. */
  readonly unit: string;
  /** What its name in the program has at its end. */
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

export type KeyDeclaration = Key | Table | Rows;
export interface Keys {
  readonly [name: string]: KeyDeclaration;
}

type IsRequired<E> = E extends Key<infer _, infer D> ? (undefined extends D ? true : false) : false;

type InFile<E> =
  E extends Table<infer K>
    ? RawInput<K>
    : E extends Rows<infer K>
      ? readonly RawInput<K>[]
      : E extends Key<infer A>
        ? A
        : never;

/** The decoded keys of the file; omitted keys are absent. */
export type RawInput<K extends Keys> = {
  readonly [N in keyof K as IsRequired<K[N]> extends true ? N : never]: InFile<K[N]>;
} & { readonly [N in keyof K as IsRequired<K[N]> extends true ? never : N]?: InFile<K[N]> };

/** In the names and units of the file. */
export type WithDefaults<K extends Keys> = {
  readonly [N in keyof K]: K[N] extends Table<infer S>
    ? WithDefaults<S>
    : K[N] extends Key<infer A, infer D>
      ? A | Extract<D, null>
      : InFile<K[N]>;
};

type Setting<E> =
  E extends Table<infer K>
    ? Settings<K>
    : E extends Rows<infer K>
      ? readonly Settings<K>[]
      : E extends Key<infer _, infer D, infer P>
        ? P | Extract<D, null>
        : never;
type ProgramName<N extends string, E> =
  E extends Key<infer _, unknown, unknown, infer S> ? (N extends `${string}${S}` ? N : `${N}${S}`) : N;

/** In the names and units of the program: `publish_interval` as `publishIntervalMs`. */
export type Settings<K extends Keys> = {
  readonly [N in keyof K & string as ProgramName<CamelCase<N>, K[N]>]: Setting<K[N]>;
};

type ShownKeys<K extends Keys> = {
  readonly [N in keyof K as K[N] extends { readonly shown: true } ? N : never]: K[N];
};

/** Durations of the file are seconds, those of the program mostly milliseconds. */
export const ms = (inSeconds: number): number => Math.round(inSeconds * 1000);
export const day = 86_400;

/** A value of any codec, in the program as in the file. */
export const key = <A, const D extends A | null | undefined>(
  codec: Key<A>['codec'],
  fallback: D,
  unit = '',
): Key<A, D, A, ''> => ({
  ...{ kind: 'key', codec, fallback, unit, suffix: '', secret: null },
  inProgram: (value) => value,
});
export const required = <A>(codec: Key<A>['codec']) => key<A, undefined>(codec, undefined);
export const table = <K extends Keys>(keys: K): Table<K> => ({ kind: 'table', keys, overrides: false });
/** A table of one UPS or group that overrides a global one, key by key. */
export const overriding = <K extends Keys>(keys: K): Table<K> => ({ kind: 'table', keys, overrides: true });
export const rows = <K extends Keys>(keys: K, max: number): Rows<K> => ({ kind: 'rows', keys, max });

export const onOff = <D extends boolean | null>(fallback: D) => key<boolean, D>(trueOrFalse, fallback);
export const word = <const W extends readonly [string, ...string[]], D extends W[number] | null>(
  words: W,
  fallback: D,
) => key<W[number], D>(wordOf(words), fallback);
export const count = <D extends number | null>(low: number, high: number, fallback: D, unit = '') =>
  key<number, D>(integerIn(low, high, unit), fallback, unit);
export const number = <D extends number | null>(low: number, high: number, unit: string, fallback: D) =>
  key<number, D>(numberIn(low, high, unit), fallback, unit);
/** A time that is in seconds in the program too. */
export const seconds = <D extends number | null>(low: number, high: number, fallback: D) =>
  inSeconds(number(low, high, 'seconds', fallback));
/** A time that is in milliseconds in the program. */
export const duration = <D extends number | null>(low: number, high: number, fallback: D) =>
  inMs(number(low, high, 'seconds', fallback));

export const inSeconds = <D>(own: Key<number, D>): Key<number, D, number, 'Seconds'> => ({
  ...own,
  suffix: 'Seconds',
  inProgram: (value) => value,
});
export const inMs = <D>(own: Key<number, D>): Key<number, D, number, 'Ms'> => ({
  ...own,
  suffix: 'Ms',
  inProgram: ms,
});
/** With another value in the program: a fingerprint without colons. */
export const converted = <A, D, S extends string, P>(
  own: Key<A, D, unknown, S>,
  inProgram: (value: A) => P,
): Key<A, D, P, S> => ({ ...own, inProgram });
export const orNone = (text: string): string | null => (text === '' ? null : text);
export const needsRestart = <E extends KeyDeclaration>(entry: E): E => ({ ...entry, needsRestart: true });
export const shown = <E extends KeyDeclaration>(entry: E): E & { readonly shown: true } => ({
  ...entry,
  shown: true,
});

type Given = readonly (object | undefined)[];

/** The defaults, overridden by each of `given` in order: `withDefaults(keys, global, own)`. Lists are replaced, not merged. */
export const withDefaults = <K extends Keys>(keys: K, ...given: Given): WithDefaults<K> =>
  mergeKeys(keys, given, false) as WithDefaults<K>;

/** As `withDefaults`, for the program: its names, its units, its values. */
export const settingsOf = <K extends Keys>(keys: K, ...given: Given): Settings<K> =>
  mergeKeys(keys, given, true) as Settings<K>;

function mergeKeys(keys: Keys, given: Given, inProgram: boolean): object {
  const entries = Object.entries(keys).map(([name, entry]) => {
    const values = given
      .map((layer) => (layer as Readonly<Record<string, unknown>> | undefined)?.[name])
      .filter((value) => value !== undefined);
    const value = valueOf(entry, values, inProgram);
    return [inProgram ? nameInProgram(name, entry) : name, value] as const;
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

/** `values`: what the layers say of it, the last one last. */
function valueOf(entry: KeyDeclaration, values: readonly unknown[], inProgram: boolean): unknown {
  if (entry.kind === 'table') return mergeKeys(entry.keys, values as Given, inProgram);
  if (entry.kind === 'rows') {
    const all = (values.at(-1) ?? []) as readonly object[];
    return inProgram ? all.map((row) => mergeKeys(entry.keys, [row], true)) : all;
  }
  const value = values.at(-1) ?? entry.fallback;
  return inProgram && value !== null ? entry.inProgram(value) : value;
}

function nameInProgram(name: string, entry: KeyDeclaration): string {
  const inCamel = camelCase(name);
  return entry.kind !== 'key' || inCamel.endsWith(entry.suffix) ? inCamel : inCamel + entry.suffix;
}

/** As `withDefaults`, but only what is shown, in the names that JSON has. */
export function shownOf<K extends Keys>(keys: K, ...given: Given): InCamelCase<WithDefaults<ShownKeys<K>>> {
  const shownKeys = Object.fromEntries(Object.entries(keys).filter(([, entry]) => entry.shown === true));
  return inCamelCase(withDefaults(shownKeys as ShownKeys<K>, ...given));
}
