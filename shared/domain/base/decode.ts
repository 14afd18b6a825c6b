// Decodes input from outside and turns the errors of io-ts into problems that an operator can act on.
import { isLeft } from 'fp-ts/lib/Either.js';
import type * as t from 'io-ts';

/** One error of an input: where, what was expected, what was found. */
export interface Problem {
  /** Dotted path, `ups[0].check_interval`; empty for the value itself. */
  readonly path: string;
  readonly message: string;
}

export type Decoded<A> =
  | { readonly ok: true; readonly value: A }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Decodes `input`; reports every problem at once. Never throws. */
export function decode<A, O>(codec: t.Type<A, O>, input: unknown): Decoded<A> {
  const result = codec.decode(input);
  if (!isLeft(result)) return { ok: true, value: result.right };
  return { ok: false, problems: result.left.map(problemOf) };
}

/** A value as short text for messages, about 60 characters at most. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    text = undefined;
  }
  text ??= `a ${typeof value}`;
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

function problemOf(error: t.ValidationError): Problem {
  const expected = error.context.at(-1)?.type.name ?? 'another value';
  return {
    path: pathOf(error.context),
    message: error.message ?? `expected ${expected}, found ${shown(error.value)}`,
  };
}

/** io-ts adds an entry for each branch of a union or intersection; a readable path has only keys and indices. */
function pathOf(context: t.Context): string {
  let path = '';
  context.forEach((entry, index) => {
    if (index === 0 || entry.key === '') return;
    const parent = context[index - 1]?.type as { _tag?: string } | undefined;
    if (parent?._tag === 'UnionType' || parent?._tag === 'IntersectionType') return;
    if (/^\d+$/.test(entry.key)) path += `[${entry.key}]`;
    else path += path === '' ? entry.key : `.${entry.key}`;
  });
  return path;
}
