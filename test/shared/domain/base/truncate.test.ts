import { expect } from 'chai';
import fc from 'fast-check';
import { truncate } from '../../../../shared/domain/base/truncate.js';
import { textUpTo } from '../../../../shared/domain/base/units.js';

describe('a truncated text', () => {
  it('is unchanged if it fits', () => {
    for (const text of ['', 'abc', '🔋🔋']) expect(truncate(text, 4)).to.equal(text);
  });

  it('loses a character that does not fit completely', () => {
    expect(truncate('🔋🔋🔋', 5)).to.equal('🔋🔋');
    expect(truncate('a🔋', 2)).to.equal('a');
    expect(truncate('🔋', 1)).to.equal('');
  });

  it('fits its codec, is a prefix, and is at most one unit short', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), (text, most) => {
        const cut = truncate(text, most);
        expect(textUpTo(most).is(cut) && text.startsWith(cut)).to.equal(true);
        expect(cut.length).to.be.at.least(Math.min(text.length, most) - 1);
        expect(Buffer.from(cut).toString()).to.equal(cut);
      }),
    );
  });
});
