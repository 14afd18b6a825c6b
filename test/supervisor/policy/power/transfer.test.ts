import { expect } from 'chai';
import type { Reading } from '../../../../shared/domain/ups/reading.js';
import { noTransfer, transferAfter } from '../../../../supervisor/policy/power/transfer.js';
import { emptyReading } from '../../../simulation/empty-reading.js';

const reading = (words: string, chargePercent: number | null, runtimeSeconds: number | null): Reading => ({
  ...emptyReading,
  status: words.split(' '),
  chargePercent,
  runtimeSeconds,
});

describe('what a UPS shows at a transfer to battery', () => {
  const first = () => transferAfter(noTransfer, true, reading('OB', 90, null));

  it('are the first charge and the first runtime of the outage', () => {
    expect(first()).to.deep.equal({
      charge: 90,
      runtime: null,
      isContradictionReported: false,
      isFlagReported: false,
    });
    const second = transferAfter(first(), true, reading('OB', 80, 900));
    expect(second).to.deep.include({ charge: 90, runtime: 900 });
    expect(transferAfter(second, true, reading('OB', 70, 800))).to.equal(second);
  });

  it('is not what a reading with OL shows', () => {
    const before = first();
    expect(transferAfter(before, false, reading('OL LB', 50, 500))).to.equal(before);
  });

  it('is LB from the first reading with it, in the whole outage', () => {
    const low = transferAfter(first(), true, reading('OB LB', 80, 900));
    expect(low.isFlagReported).to.equal(true);
    expect(transferAfter(low, true, reading('OB', 80, 900)).isFlagReported).to.equal(true);
  });
});
