import { expect } from 'chai';
import fc from 'fast-check';
import { decode } from '../../../shared/domain/base/decode.js';
import type { NumberedReading } from '../../../shared/protocol/reading-change.js';
import { ReadingChange, changeOf, applyChange } from '../../../shared/protocol/reading-change.js';
import { emptyReading } from '../../simulation/empty-reading.js';

const variables = fc.dictionary(fc.constantFrom('ups.status', 'ups.load', 'a'), fc.string());
const reading = fc
  .record({ charge: fc.constantFrom(null, 0, 99, 100), status: fc.constantFrom('OL', 'OB', 'OB LB') })
  .map(({ charge, status }) => ({ ...emptyReading, chargePercent: charge, status: status.split(' ') }));
const readings = fc.array(fc.record({ reading, variables }), { minLength: 1, maxLength: 8 });

const numbered = (all: readonly Omit<NumberedReading, 'number'>[]): readonly NumberedReading[] =>
  all.map((one, index) => ({ number: index + 1, ...one }));
/** As the link carries it. */
const sent = (change: ReadingChange): ReadingChange => {
  const decoded = decode(ReadingChange, JSON.parse(JSON.stringify(change)));
  if (!decoded.ok) throw new Error(decoded.problems[0]?.message);
  return decoded.value;
};

describe('the difference of two readings', () => {
  it('makes the later of the earlier, for any sequence of readings', () => {
    fc.assert(
      fc.property(readings, (all) => {
        let before: NumberedReading | null = null;
        let there: NumberedReading | null = null;
        for (const after of numbered(all)) {
          there = applyChange(there, sent(changeOf(before, after)));
          before = after;
          expect(there).to.deep.equal(after);
        }
      }),
    );
  });

  const first: NumberedReading = { number: 1, reading: emptyReading, variables: { a: '1', b: '2' } };

  it('carries what has changed', () => {
    const after = { number: 2, reading: { ...emptyReading }, variables: { a: '1', c: '3' } };
    expect(changeOf(first, after)).to.deep.equal({
      number: 2,
      base: 1,
      reading: null,
      variables: { b: null, c: '3' },
    });
  });

  it('leaves an unchanged part the same object', () => {
    const after = applyChange(first, changeOf(first, { ...first, number: 2 }));
    expect(after?.reading).to.equal(first.reading);
    expect(after?.variables).to.equal(first.variables);
  });

  it('is refused without its base, and when it begins without a reading', () => {
    const change = changeOf({ ...first, number: 7 }, { ...first, number: 8 });
    expect(applyChange(first, change)).to.equal(null);
    expect(applyChange(null, change)).to.equal(null);
    expect(applyChange(null, { ...changeOf(null, first), reading: null })).to.equal(null);
  });

  it('is refused when it adds up to more variables than a server may list', () => {
    const many = (from: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`v${String(from + index)}`, '']));
    const big = applyChange(null, { number: 1, base: null, reading: emptyReading, variables: many(0) });
    expect(big).not.to.equal(null);
    expect(applyChange(big, { number: 2, base: 1, reading: null, variables: many(3_000) })).to.equal(null);
  });
});
