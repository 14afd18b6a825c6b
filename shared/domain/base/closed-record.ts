// A record codec that refuses unknown keys. `t.exact` drops them without an error; a dropped key is a setting that has
// no effect although its author expects one.
import * as t from 'io-ts';
import { nearest } from './nearest-name.js';

export type Fields = Record<string, t.Mixed>;

type Shape<R extends Fields, O extends Fields> = { [K in keyof R]: t.TypeOf<R[K]> } & {
  [K in keyof O]?: t.TypeOf<O[K]>;
};

/** An object with exactly the `required` keys and at most the `optional` ones; anything else is an error with a hint. */
export function closed<R extends Fields, O extends Fields = Record<never, t.Mixed>>(
  required: R,
  optional?: O,
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
    'a table',
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

/** A plain object. A date, a list or a map is none: it has no own keys that could be refused. */
function isObject(u: unknown): u is Record<string, unknown> {
  if (typeof u !== 'object' || u === null) return false;
  const prototype: unknown = Object.getPrototypeOf(u);
  return prototype === null || prototype === Object.prototype;
}

function unknownKey(key: string, known: readonly string[]): string {
  const hint = nearest(key, known);
  if (hint !== undefined) return `unknown key; did you mean "${hint}"?`;
  return `unknown key; known here: ${known.join(', ')}`;
}

function at(context: t.Context, key: string, type: t.Mixed, actual: unknown): t.Context {
  return [...context, { key, type, actual }];
}
