// Validates query parameters before any look-up: integers in their ranges, words of a list, each at most once. Refuses a value
// out of range, never clamps it (specification/api.md#query-parameters).
import type * as t from 'io-ts';
import { integerFrom } from '../../../shared/domain/base/units.js';
import { ApiProblem } from './problem.js';

/** A query parameter, for the index and the OpenAPI description. The codec validates it. */
export interface Parameter {
  readonly takes: t.Mixed;
  readonly hint: string;
}

/** From 1970 to the year 9999. */
export const unixSeconds = integerFrom(0, 253_402_300_799, 'Unix seconds');

/** The text of the parameter; null when absent. 400 when given twice. */
export function textOf(query: URLSearchParams, name: string): string | null {
  const given = query.getAll(name);
  if (given.length > 1) throw refusalOf(name, 'given more than once');
  return given[0] ?? null;
}

/** An integer accepted by `takes`; `absent` when not given. */
export function integerOf<A>(
  query: URLSearchParams,
  name: string,
  takes: t.Type<number>,
  absent: A,
): number | A {
  return valueOf(query, name, takes, absent, (text) => (/^-?\d{1,16}$/.test(text) ? Number(text) : NaN));
}

/** A word of a closed list; `absent` when not given. */
export function wordOf<W extends string, A>(
  query: URLSearchParams,
  name: string,
  words: t.Type<W>,
  absent: A,
): W | A {
  return valueOf(query, name, words, absent, (text) => text);
}

function valueOf<V, A>(
  query: URLSearchParams,
  name: string,
  takes: t.Type<V>,
  absent: A,
  parse: (text: string) => unknown,
): V | A {
  const text = textOf(query, name);
  if (text === null) return absent;
  const value = parse(text);
  if (takes.is(value)) return value;
  throw refusalOf(name, `expected ${takes.name}, found "${text.slice(0, 40)}"`);
}

/** `from` and `to` in Unix seconds, both optional and inclusive; `from` after `to` is refused. */
export function spanOf(query: URLSearchParams): { readonly from: number | null; readonly to: number | null } {
  const from = integerOf(query, 'from', unixSeconds, null);
  const to = integerOf(query, 'to', unixSeconds, null);
  if (from !== null && to !== null && from > to) throw refusalOf('from', 'it is later than "to"');
  return { from, to };
}

export function refusalOf(name: string, why: string): ApiProblem {
  return new ApiProblem('INVALID_REQUEST', `The query parameter "${name}" cannot be used: ${why}.`);
}
