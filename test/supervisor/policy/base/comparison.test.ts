// When two values count as equal, field by field.
import { expect } from 'chai';
import type { Comparison } from '../../../../supervisor/policy/base/comparison.js';
import { identical, ignored, reuseUnchanged, same } from '../../../../supervisor/policy/base/comparison.js';

interface Pair {
  readonly charge: number;
  readonly shown: number;
}

describe('a comparison', () => {
  const comparison: Comparison<Pair> = { charge: identical, shown: ignored };
  const before: Pair = { charge: 90, shown: 1 };

  it('is of each field, but for those that are ignored', () => {
    expect(same(comparison, before, { charge: 90, shown: 2 })).to.equal(true);
    expect(same(comparison, before, { charge: 89, shown: 1 })).to.equal(false);
    expect([identical(1, 1), identical(1, 2), ignored()]).to.deep.equal([true, false, true]);
  });

  it('does not ask about a field that is the same', () => {
    const never: Comparison<Pair> = { charge: () => false, shown: () => false };
    expect(same(never, before, { ...before })).to.equal(true);
  });

  it('keeps the value before where no field has changed', () => {
    expect(reuseUnchanged(before, { ...before })).to.equal(before);
    const after = { ...before, shown: 2 };
    expect(reuseUnchanged(before, after)).to.equal(after);
  });
});
