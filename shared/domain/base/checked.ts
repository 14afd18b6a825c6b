// What a value must be, without a codec: the words of a message and the check. Codecs of units.ts and keys.ts are made of these; the
// page imports them, and io-ts is no part of the page.

/** What a codec accepts, as data: the OpenAPI document is generated from it. */
export type PlainShape =
  | { readonly kind: 'number'; readonly low: number | null; readonly high: number | null }
  | { readonly kind: 'integer'; readonly low: number; readonly high: number }
  | { readonly kind: 'text'; readonly max: number }
  | { readonly kind: 'words'; readonly words: readonly [string, ...string[]] };

/** A value, and what a message says of it: `expected a number from 0 to 100 percent`. Every codec of io-ts is one. */
export interface Checked<A> {
  readonly name: string;
  readonly is: (u: unknown) => u is A;
}

export interface Shaped<A> extends Checked<A> {
  readonly shape: PlainShape;
}

const isFinite = (u: unknown): u is number => typeof u === 'number' && Number.isFinite(u);

/** A finite number: neither NaN nor infinite. */
export const finiteNumber: Shaped<number> = {
  shape: { kind: 'number', low: null, high: null },
  name: 'a finite number',
  is: isFinite,
};

/** A finite number from `low` to `high`, both included; `unit` appears in the message ("a number from 0 to 100 percent"). */
export const numberIn = (low: number, high: number, unit = ''): Shaped<number> => ({
  shape: { kind: 'number', low, high },
  name: `a number from ${String(low)} to ${String(high)}${unit === '' ? '' : ` ${unit}`}`,
  is: (u): u is number => isFinite(u) && u >= low && u <= high,
});

/** A whole number from `low` to `high`, both included. */
export function integerIn(low: number, high: number, unit = ''): Shaped<number> {
  // The message omits the bounds of safe integers, which do not help the reader.
  const any = low === Number.MIN_SAFE_INTEGER && high === Number.MAX_SAFE_INTEGER;
  const range = any ? '' : ` from ${String(low)} to ${String(high)}`;
  return {
    shape: { kind: 'integer', low, high },
    name: `a whole number${range}${unit === '' ? '' : ` ${unit}`}`,
    is: (u): u is number => Number.isSafeInteger(u) && (u as number) >= low && (u as number) <= high,
  };
}

/** One of the given words. */
export const wordOf = <const W extends readonly [string, ...string[]]>(words: W): Shaped<W[number]> => ({
  shape: { kind: 'words', words },
  name: `one of ${words.map((word) => `"${word}"`).join(', ')}`,
  is: (u): u is W[number] => typeof u === 'string' && words.includes(u),
});

export const trueOrFalse: Checked<boolean> = {
  name: 'boolean',
  is: (u): u is boolean => typeof u === 'boolean',
};
