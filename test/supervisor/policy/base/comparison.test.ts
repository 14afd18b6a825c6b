// When two values count as equal.
import { expect } from 'chai';
import { differs, ignored, isEqual, reuseUnchanged } from '../../../../supervisor/policy/base/comparison.js';

interface Pair {
  readonly charge: number;
  readonly shown: number;
}

describe('a comparison', () => {
  const before: Pair = { charge: 90, shown: 1 };
  const fields = ['charge', 'shown'] as const;

  it('is of each field, but for those that are ignored', () => {
    const exceptions = { shown: ignored };
    expect(differs(before, { charge: 90, shown: 2 }, fields, exceptions)).to.equal(false);
    expect(differs(before, { charge: 89, shown: 1 }, fields, exceptions)).to.equal(true);
    expect(differs(before, { charge: 90, shown: 2 }, fields, {})).to.equal(true);
    expect(differs(before, { charge: 90, shown: 2 }, fields, { shown: () => false })).to.equal(true);
  });

  it('does not ask about a field that is the same', () => {
    const never = { charge: () => false, shown: () => false };
    expect(differs(before, { ...before }, fields, never)).to.equal(false);
  });

  it('of what is shown is at any depth', () => {
    const shown = (...loads: readonly (number | null)[]) => ({
      name: 'a',
      rows: loads.map((load) => ({ load })),
    });
    expect(isEqual(shown(1, null), shown(1, null))).to.equal(true);
    expect(isEqual(shown(1, null), shown(1, 2))).to.equal(false);
    expect(isEqual(shown(1, 2), shown(1, null))).to.equal(false);
    expect(isEqual(shown(1), shown(1, 2)) || isEqual(shown(1, 2), shown(1))).to.equal(false);
    const different: readonly unknown[] = [null, {}, 'a', 1];
    for (const a of different)
      for (const b of different) expect(isEqual(a, b), JSON.stringify([a, b])).to.equal(a === b);
    expect(isEqual<unknown>([], {})).to.equal(false);
  });

  it('keeps the value before where no field has changed', () => {
    expect(reuseUnchanged(before, { ...before })).to.equal(before);
    const after = { ...before, shown: 2 };
    expect(reuseUnchanged(before, after)).to.equal(after);
  });
});
