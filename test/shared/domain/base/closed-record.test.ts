import { expect } from 'chai';
import * as t from 'io-ts';
import { closed } from '../../../../shared/domain/base/closed-record.js';
import { decode } from '../../../../shared/domain/base/decode.js';

const codec = closed({ name: t.string }, { count: t.number, inner: closed({}, { depth: t.number }) });
const problems = (input: unknown) => {
  const result = decode(codec, input);
  return result.ok ? [] : result.problems;
};

describe('a closed record', () => {
  it('accepts its keys, with or without the optional ones', () => {
    expect(decode(codec, { name: 'a' })).to.deep.equal({ ok: true, value: { name: 'a' } });
    expect(decode(codec, { name: 'a', count: 1 })).to.deep.equal({
      ok: true,
      value: { name: 'a', count: 1 },
    });
  });

  it('refuses an unknown key, with the nearest key as a hint', () => {
    expect(problems({ name: 'a', cuont: 1 })).to.deep.equal([
      { path: 'cuont', message: 'unknown key; did you mean "count"?' },
    ]);
    expect(problems({ name: 'a', zzzzzzzz: 1 })).to.deep.equal([
      { path: 'zzzzzzzz', message: 'unknown key; known here: name, count, inner' },
    ]);
  });

  it('reports a missing key', () => {
    expect(problems({})).to.deep.equal([{ path: 'name', message: 'missing; expected string' }]);
  });

  it('reports all problems together, at every depth', () => {
    expect(problems({ count: 'x', inner: { deth: 1 }, other: 2 }).map(({ path }) => path)).to.deep.equal([
      'other',
      'name',
      'count',
      'inner.deth',
    ]);
  });

  it('refuses values that only resemble a record', () => {
    for (const input of [null, [], 'x', 5, new Date(0), new Map(), undefined]) {
      expect(problems(input).length).to.equal(1);
    }
  });

  it('accepts a record without a prototype, as parsers make them', () => {
    const input = Object.assign(Object.create(null) as object, { name: 'a' });
    expect(decode(codec, input)).to.deep.equal({ ok: true, value: { name: 'a' } });
  });

  it('finds no keys on the prototype', () => {
    expect(problems(JSON.parse('{"name": "a", "__proto__": 1}')).map(({ path }) => path)).to.deep.equal([
      '__proto__',
    ]);
    expect(problems({ name: 'a', toString: 1 }).map(({ path }) => path)).to.deep.equal(['toString']);
  });

  it('accepts the same values by `is` as by decoding', () => {
    expect(codec.is({ name: 'a', inner: {} })).to.equal(true);
    expect(codec.is({ name: 'a', other: 1 })).to.equal(false);
    expect(codec.is({ count: 1 })).to.equal(false);
    expect(codec.is({ name: 'a', count: 'x' })).to.equal(false);
  });
});
