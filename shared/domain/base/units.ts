// Codecs for quantities. `t.number` accepts NaN and Infinity, and a NaN charge is below no threshold:
// every number that enters the program passes through one of these.
import * as t from 'io-ts';
import type { PlainShape, Shaped } from './checked.js';
import { finiteNumber, integerIn, numberIn, wordOf } from './checked.js';

/** What a codec of this file accepts, as data. */
export type Shape = PlainShape | { readonly kind: 'nullable'; readonly of: t.Mixed };

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

const described = <A>({ shape, name, is }: Shaped<A>): t.Type<A> => new Described(shape, name, is);

/** A finite number: neither NaN nor infinite. */
export const finite = described(finiteNumber);

/** A finite number from `low` to `high`, both included; `unit` appears in the message ("a number from 0 to 100 percent"). */
export const numberFrom = (low: number, high: number, unit = ''): t.Type<number> =>
  described(numberIn(low, high, unit));

/** A whole number from `low` to `high`, both included. */
export const integerFrom = (low: number, high: number, unit = ''): t.Type<number> =>
  described(integerIn(low, high, unit));

/** A count, or a time in whole units: not negative. */
export const count = integerFrom(0, Number.MAX_SAFE_INTEGER);

/** A string of at most `max` UTF-16 units. */
export function textUpTo(max: number): t.Type<string> {
  const is = (u: unknown): u is string => typeof u === 'string' && u.length <= max;
  return new Described<string>({ kind: 'text', max }, `text of at most ${String(max)} characters`, is);
}

/** One of the given words. */
export const oneOf = <const W extends readonly [string, ...string[]]>(...words: W): t.Type<W[number]> =>
  described(wordOf(words));

/** The value or null: a missing reading is missing, never zero. */
export function orNull<A>(codec: t.Type<A>): t.Type<A | null> {
  const is = (u: unknown): u is A | null => u === null || codec.is(u);
  return new Described<A | null>({ kind: 'nullable', of: codec }, `${codec.name} or null`, is, (u, c) =>
    u === null ? t.success(null) : codec.validate(u, c),
  );
}
