import { expect } from 'chai';
import * as t from 'io-ts';
import { decode, shown } from '../../../../shared/domain/base/decode.js';
import { finite } from '../../../../shared/domain/base/units.js';

describe('decoding a value', () => {
  const codec = t.type({ ups: t.array(t.type({ name: t.string, interval: finite })) });

  it('returns the value', () => {
    const value = { ups: [{ name: 'a', interval: 1 }] };
    expect(decode(codec, value)).to.deep.equal({ ok: true, value });
  });

  it('reports the path, the expected type and the actual value', () => {
    const result = decode(codec, {
      ups: [
        { name: 'a', interval: 1 },
        { name: 2, interval: 'x' },
      ],
    });
    expect(result).to.deep.equal({
      ok: false,
      problems: [
        { path: 'ups[1].name', message: 'expected string, found 2' },
        { path: 'ups[1].interval', message: 'expected a finite number, found "x"' },
      ],
    });
  });

  it('leaves the branches of unions and intersections out of the path', () => {
    const both = t.type({
      a: t.intersection([t.type({ b: t.string }), t.partial({ c: t.number })]),
      d: t.union([t.type({ e: t.number }), t.null]),
    });
    const result = decode(both, { a: { b: 'x', c: 'y' }, d: { e: 'z' } });
    const paths = result.ok ? [] : result.problems.map(({ path }) => path);
    expect(paths[0]).to.equal('a.c');
    expect(paths.slice(1).every((path) => path === 'd' || path === 'd.e')).to.equal(true);
  });

  it('has an empty path for the value itself', () => {
    expect(decode(codec, 5)).to.have.nested.property('problems[0].path', '');
  });
});

describe('a value in a message', () => {
  for (const [value, text] of [
    [undefined, 'nothing'],
    [null, 'null'],
    ['a "b"', '"a \\"b\\""'],
    [Number.NaN, 'null'],
    [() => 1, 'a function'],
    [Symbol('x'), 'a symbol'],
    [10n, 'a bigint'],
  ] as const) {
    it(`is shown as ${text}`, () => {
      expect(shown(value)).to.equal(text);
    });
  }

  it('is short, also for a cyclic object', () => {
    expect(shown('x'.repeat(1000)).length).to.equal(60);
    const loop: unknown[] = [];
    loop.push(loop);
    expect(shown(loop)).to.equal('a object');
  });
});
