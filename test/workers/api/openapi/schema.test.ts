import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import * as t from 'io-ts';
import {
  finite,
  integerFrom,
  numberFrom,
  oneOf,
  orNull,
  textUpTo,
} from '../../../../shared/domain/base/units.js';
import { Schemas } from '../../../../workers/api/openapi/schema.js';

const codecs: readonly (readonly [string, t.Mixed])[] = [
  ['a text', t.string],
  ['a switch', t.boolean],
  ['a missing value', t.null],
  ['one word', t.literal('ok')],
  ['a number', finite],
  ['a number in a range', numberFrom(1, 9.5)],
  ['a whole number', integerFrom(0, 7)],
  ['a count', integerFrom(0, Number.MAX_SAFE_INTEGER)],
  ['a short text', textUpTo(3)],
  ['a word of a list', oneOf('OK', 'FAILED')],
  ['what may be missing', orNull(finite)],
  ['a list', t.array(t.string)],
  ['a read-only list', t.readonlyArray(finite)],
  ['a table', t.type({ a: finite, b: t.string })],
  ['a read-only table', t.readonly(t.type({ a: finite }))],
  ['a table with what may be left out', t.intersection([t.type({ a: finite }), t.partial({ b: t.string })])],
  ['one of two', t.union([t.string, finite])],
  ['a dictionary', t.record(t.string, t.string)],
  ['any table', t.UnknownRecord],
  ['a list within its bounds', t.refinement(t.array(t.string), (list) => list.length >= 0)],
  ['anything', t.unknown],
];

/** Values on which every codec and its schema must agree. */
const values: readonly unknown[] = [
  null,
  true,
  '',
  'ok',
  'OK',
  'long text',
  0,
  -1,
  7,
  8,
  1.5,
  9.5,
  9.6,
  1e300,
  [],
  ['a'],
  [1],
  [null],
  {},
  { a: 1 },
  { a: 1, b: 'x' },
  { a: 1, b: 2 },
  { a: 'x', b: 'y' },
  { a: null },
];

describe('the OpenAPI schema of', () => {
  for (const [what, codec] of codecs)
    it(`${what} accepts exactly what its codec accepts`, () => {
      const validate = new Ajv2020({ allowUnionTypes: true }).compile(new Schemas().of(codec));
      for (const value of values) expect(validate(value), JSON.stringify(value)).to.equal(codec.is(value));
    });

  it('a named codec appears once and is referenced', () => {
    const Row = t.type({ a: finite }, 'Row');
    const schemas = new Schemas();
    const schema = schemas.of(t.type({ first: Row, all: t.array(Row) }));
    expect(schema['properties']).to.deep.equal({
      first: { $ref: '#/components/schemas/Row' },
      all: { type: 'array', items: { $ref: '#/components/schemas/Row' } },
    });
    expect(Object.keys(schemas.components)).to.deep.equal(['Row']);
  });

  it('an unknown codec throws', () => {
    const own = new t.Type<number>('own', finite.is, finite.validate, t.identity);
    expect(() => new Schemas().of(own)).to.throw('no JSON Schema is known for the codec own');
    expect(() => new Schemas().of(t.keyof({ a: null }))).to.throw('KeyofType');
  });
});
