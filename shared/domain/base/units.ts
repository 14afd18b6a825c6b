// Codecs for quantities. `t.number` accepts NaN and Infinity, and a NaN charge is below no threshold:
// every number that enters the program passes through one of these.
import * as t from 'io-ts';

/** What a codec of this file accepts, as data: the OpenAPI document is generated from it. */
export type Shape =
  | { readonly kind: 'number'; readonly low: number | null; readonly high: number | null }
  | { readonly kind: 'integer'; readonly low: number; readonly high: number }
  | { readonly kind: 'text'; readonly max: number }
  | { readonly kind: 'words'; readonly words: readonly string[] }
  | { readonly kind: 'nullable'; readonly of: t.Mixed };

/** A codec that knows its shape. */
export class Described<A> extends t.Type<A> {
  readonly shape: Shape;

  constructor(
    shape: Shape,
    name: string,
    is: t.Is<A>,
    validate: t.Validate<unknown, A> = (u, c) => (is(u) ? t.success(u) : t.failure(u, c)),
  ) {
    super(name, is, validate, t.identity);
    this.shape = shape;
  }
}

/** A finite number: neither NaN nor infinite. */
export const finite: t.Type<number> = new Described<number>(
  { kind: 'number', low: null, high: null },
  'a finite number',
  (u): u is number => typeof u === 'number' && Number.isFinite(u),
);

/** A finite number from `low` to `high`, both included; `unit` appears in the message ("a number from 0 to 100 percent"). */
export function numberFrom(low: number, high: number, unit = ''): t.Type<number> {
  const name = `a number from ${String(low)} to ${String(high)}${unit === '' ? '' : ` ${unit}`}`;
  const is = (u: unknown): u is number => finite.is(u) && u >= low && u <= high;
  return new Described<number>({ kind: 'number', low, high }, name, is);
}

/** A whole number from `low` to `high`, both included. */
export function integerFrom(low: number, high: number, unit = ''): t.Type<number> {
  // The message omits the bounds of safe integers, which do not help the reader.
  const any = low === Number.MIN_SAFE_INTEGER && high === Number.MAX_SAFE_INTEGER;
  const range = any ? '' : ` from ${String(low)} to ${String(high)}`;
  const name = `a whole number${range}${unit === '' ? '' : ` ${unit}`}`;
  const is = (u: unknown): u is number => finite.is(u) && Number.isSafeInteger(u) && u >= low && u <= high;
  return new Described<number>({ kind: 'integer', low, high }, name, is);
}

/** A count, or a time in whole units: not negative. */
export const count = integerFrom(0, Number.MAX_SAFE_INTEGER);

/** A string of at most `max` UTF-16 units. */
export function textUpTo(max: number): t.Type<string> {
  const is = (u: unknown): u is string => typeof u === 'string' && u.length <= max;
  return new Described<string>({ kind: 'text', max }, `text of at most ${String(max)} characters`, is);
}

/** One of the given words. */
export function oneOf<const W extends readonly [string, ...string[]]>(...words: W): t.Type<W[number]> {
  const is = (u: unknown): u is W[number] => typeof u === 'string' && words.includes(u);
  return new Described<W[number]>(
    { kind: 'words', words },
    `one of ${words.map((word) => `"${word}"`).join(', ')}`,
    is,
  );
}

/** The value or null: a missing reading is missing, never zero. */
export function orNull<A>(codec: t.Type<A>): t.Type<A | null> {
  const is = (u: unknown): u is A | null => u === null || codec.is(u);
  return new Described<A | null>({ kind: 'nullable', of: codec }, `${codec.name} or null`, is, (u, c) =>
    u === null ? t.success(null) : codec.validate(u, c),
  );
}
