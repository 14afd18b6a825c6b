// Validates the fields of a JSON body by a codec: 400 with every wrong field. Values are never repeated.
import type * as t from 'io-ts';
import { decode } from '../../../shared/domain/base/decode.js';
import { ApiProblem } from './problem.js';

/** Longest list of wrong fields in a message. */
const maxNamed = 10;

/** The decoded body; throws INVALID_REQUEST. */
export function fieldsOf<C extends t.Mixed>(codec: C, body: unknown): t.TypeOf<C> {
  const decoded = decode(codec, body);
  if (decoded.ok) return decoded.value as t.TypeOf<C>;
  const wrong = decoded.problems
    .slice(0, maxNamed)
    .map(({ path, message }) => `${path}: ${message.replace(/, found .*/s, '')}`);
  throw new ApiProblem('INVALID_REQUEST', `The body cannot be used: ${[...new Set(wrong)].join('; ')}.`);
}
