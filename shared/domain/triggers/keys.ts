// The keys of [triggers] as data: the schema of the file, the displayed configuration and the page use them. No codecs:
// the page imports this file, and io-ts is not part of the page.

export interface Unit {
  /** In a message: `a number from 0 to 100 percent`. */
  readonly words: string;
  /** After a number. */
  readonly symbol: string;
}

const second: Unit = { words: 'seconds', symbol: 's' };
export const percent: Unit = { words: 'percent', symbol: '%' };

interface NumberKey {
  readonly kind: 'number';
  readonly low: number;
  readonly high: number;
  readonly unit: Unit;
  readonly fallback: number;
}

interface CountKey {
  readonly kind: 'count';
  readonly low: number;
  readonly high: number;
  readonly fallback: number;
}

interface SwitchKey {
  readonly kind: 'switch';
  readonly fallback: boolean;
}

interface WordKey<W extends string = string> {
  readonly kind: 'word';
  readonly words: readonly [W, ...W[]];
  readonly fallback: W;
}

interface TableKey<K extends Keys = Keys> {
  readonly kind: 'table';
  readonly keys: K;
}

export type Key = NumberKey | CountKey | SwitchKey | WordKey | TableKey;
export interface Keys {
  readonly [name: string]: Key;
}

type ValueOf<K> =
  K extends TableKey<infer S>
    ? Values<S>
    : K extends WordKey<infer W>
      ? W
      : K extends SwitchKey
        ? boolean
        : number;

/** The values of the keys, with defaults. */
export type Values<K> = { readonly [N in keyof K]: ValueOf<K[N]> };

/** The values where the file names none of them. */
export function defaultValues<K extends Keys>(keys: K): Values<K> {
  const values = Object.entries(keys).map(([name, key]): [string, unknown] => [
    name,
    key.kind === 'table' ? defaultValues(key.keys) : key.fallback,
  ]);
  return Object.fromEntries(values) as Values<K>;
}

export const number = (low: number, high: number, unit: Unit, fallback: number): NumberKey => ({
  kind: 'number',
  low,
  high,
  unit,
  fallback,
});
export const seconds = (low: number, high: number, fallback: number): NumberKey =>
  number(low, high, second, fallback);
export const count = (low: number, high: number, fallback: number): CountKey => ({
  kind: 'count',
  low,
  high,
  fallback,
});
export const onOff = (fallback: boolean): SwitchKey => ({ kind: 'switch', fallback });
export const word = <W extends string>(words: readonly [W, ...W[]], fallback: NoInfer<W>): WordKey<W> => ({
  kind: 'word',
  words,
  fallback,
});
export const table = <K extends Keys>(keys: K): TableKey<K> => ({ kind: 'table', keys });

export const day = 86_400;
/** Durations of the file are seconds, those of the policy milliseconds. */
export const ms = (inSeconds: number): number => Math.round(inSeconds * 1000);
