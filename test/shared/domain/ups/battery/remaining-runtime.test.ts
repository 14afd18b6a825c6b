import { expect } from 'chai';
import { remainingRuntime } from '../../../../../shared/domain/ups/battery/runtime-estimate.js';

const estimate = { fullSeconds: 2_000, errorSeconds: 200, loadPercent: 40, discharges: 3 };

describe('the remaining runtime by earlier discharges', () => {
  it('is the share of the full one, with its relative error', () => {
    expect(remainingRuntime(estimate, 50, 40)).to.deep.equal({ seconds: 1_000, errorSeconds: 100 });
    expect(remainingRuntime(estimate, 50, null)).to.deep.equal({ seconds: 1_000, errorSeconds: 100 });
    expect(remainingRuntime(estimate, 0, 40)).to.deep.equal({ seconds: 0, errorSeconds: 0 });
  });

  it('is shorter and less certain at a load far from the one it was measured at', () => {
    const far = remainingRuntime(estimate, 100, 80);
    expect(far.seconds).to.be.closeTo(2_000 / 2 ** 1.2, 1);
    expect(far.errorSeconds / far.seconds).to.be.greaterThan(0.25);
  });

  it('never has an error above the time itself', () => {
    expect(remainingRuntime({ ...estimate, errorSeconds: 9_000 }, 100, 40)).to.deep.equal({
      seconds: 2_000,
      errorSeconds: 2_000,
    });
  });
});
