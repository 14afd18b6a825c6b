import { expect } from 'chai';
import fc from 'fast-check';
import type * as t from 'io-ts';
import {
  finite,
  integerFrom,
  numberFrom,
  oneOf,
  orNull,
  textUpTo,
} from '../../../../shared/domain/base/units.js';

const accepts = (codec: t.Mixed, value: unknown): boolean => codec.decode(value)._tag === 'Right';
const notNumbers = [Number.NaN, Infinity, -Infinity, '5', null, undefined, [], {}, true, 5n];

describe('a quantity', () => {
  it('is never NaN, infinite or text that looks like a number', () => {
    for (const codec of [finite, numberFrom(-1e9, 1e9), integerFrom(-1e9, 1e9)]) {
      for (const value of notNumbers) expect(accepts(codec, value)).to.equal(false);
    }
  });

  it('lies within its limits, both included', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (value) => {
        expect(accepts(numberFrom(-1, 100), value)).to.equal(value >= -1 && value <= 100);
      }),
    );
    expect(accepts(numberFrom(0, 100), 0) && accepts(numberFrom(0, 100), 100)).to.equal(true);
  });

  it('is an integer when it counts something', () => {
    for (const value of [1.5, 2 ** 60, -1, 11]) {
      expect(accepts(integerFrom(0, 10), value), String(value)).to.equal(false);
    }
    expect(accepts(integerFrom(0, 10), 10)).to.equal(true);
  });

  it('names its limits and its unit', () => {
    expect(numberFrom(0, 100, 'percent').name).to.equal('a number from 0 to 100 percent');
    expect(integerFrom(1, 3).name).to.equal('a whole number from 1 to 3');
  });

  it('may be missing only as null', () => {
    expect(accepts(orNull(finite), null)).to.equal(true);
    expect(accepts(orNull(finite), undefined)).to.equal(false);
    expect(accepts(orNull(finite), Number.NaN)).to.equal(false);
    expect(orNull(finite).is(null)).to.equal(true);
  });
});

describe('a text', () => {
  it('has a maximum length', () => {
    expect(accepts(textUpTo(3), 'abc')).to.equal(true);
    expect(accepts(textUpTo(3), 'abcd')).to.equal(false);
    expect(accepts(textUpTo(3), 5)).to.equal(false);
  });

  it('is one of the words, in the exact spelling', () => {
    const codec = oneOf('a', 'b');
    expect(accepts(codec, 'a')).to.equal(true);
    for (const value of ['A', 'c', '', 'toString', 0]) expect(accepts(codec, value)).to.equal(false);
    expect(codec.name).to.equal('one of "a", "b"');
  });
});
