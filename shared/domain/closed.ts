// A record codec that refuses unknown keys. `t.exact` drops them silently, and a dropped key is a setting without the
// effect that its author expects.
import * as t from 'io-ts';

export type Fields = Record<string, t.Mixed>;

type Shape<R extends Fields, O extends Fields> = { [K in keyof R]: t.TypeOf<R[K]> } & {
  [K in keyof O]?: t.TypeOf<O[K]>;
};

/** An object with exactly the `required` keys and at most the `optional` ones; anything else is an error with a hint. */
export function closed<R extends Fields, O extends Fields = Record<never, t.Mixed>>(
  required: R,
  optional?: O,
  name = 'a table',
): t.Type<Shape<R, O>> {
  type A = Shape<R, O>;
  const fields: Fields = { ...required, ...optional };
  const known = Object.keys(fields);
  const is = (u: unknown): u is A =>
    isObject(u) &&
    Object.keys(u).every((key) => Object.hasOwn(fields, key)) &&
    known.every((key) =>
      Object.hasOwn(u, key) && u[key] !== undefined ? fields[key]?.is(u[key]) : !Object.hasOwn(required, key),
    );
  return new t.Type<A>(
    name,
    is,
    (u, context) => {
      if (!isObject(u)) return t.failure(u, context);
      const errors: t.ValidationError[] = [];
      const value: Record<string, unknown> = {};
      for (const key of Object.keys(u)) {
        if (!Object.hasOwn(fields, key)) {
          errors.push({
            value: u[key],
            context: at(context, key, t.unknown, u[key]),
            message: unknownKey(key, known),
          });
        }
      }
      for (const [key, codec] of Object.entries(fields)) {
        const given = Object.hasOwn(u, key) ? u[key] : undefined;
        if (given === undefined) {
          if (Object.hasOwn(required, key)) {
            errors.push({
              value: undefined,
              context: at(context, key, codec, undefined),
              message: `missing; expected ${codec.name}`,
            });
          }
          continue;
        }
        const result = codec.validate(given, at(context, key, codec, given));
        if (result._tag === 'Left') errors.push(...result.left);
        else value[key] = result.right;
      }
      return errors.length > 0 ? t.failures(errors) : t.success(value as A);
    },
    t.identity,
  );
}

/** True for a table. A date, a list or a map is none: it has no own keys to refuse. */
function isObject(u: unknown): u is Record<string, unknown> {
  if (typeof u !== 'object' || u === null) return false;
  const prototype: unknown = Object.getPrototypeOf(u);
  return prototype === null || prototype === Object.prototype;
}

/** The known key nearest to `key`, when it is near enough to be a typing error. */
export function nearest(key: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(key.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(key.toLowerCase(), candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

function unknownKey(key: string, known: readonly string[]): string {
  const hint = nearest(key, known);
  if (hint !== undefined) return `unknown key; did you mean "${hint}"?`;
  return `unknown key; known here: ${known.join(', ')}`;
}

function at(context: t.Context, key: string, type: t.Mixed, actual: unknown): t.Context {
  return [...context, { key, type, actual }];
}

/** Levenshtein distance, at most `limit`; keys longer than 64 never match. */
function editDistance(a: string, b: string, limit: number): number {
  if (a.length > 64 || Math.abs(a.length - b.length) >= limit) return limit;
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? limit;
}
