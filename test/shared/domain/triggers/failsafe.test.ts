import { expect } from 'chai';
import { failsafe, longestStaleMs } from '../../../../shared/domain/triggers/failsafe.js';
import { defaults, outlookContext } from './facts.js';

describe('FAILSAFE', () => {
  const outlook = (failsafeMs: number, failsafeShare: number) =>
    failsafe.outlook({ ...defaults, failsafeMs, failsafeShare }, outlookContext)[1];

  it('waits for a stale driver for 60 s at most', () => {
    expect(longestStaleMs).to.equal(60_000);
  });

  it('names the wait for a stale driver where it can be longer than the usual one', () => {
    const usual = '3 failed polls and 15 s without a reading, while on battery';
    expect(outlook(15_000, 0)).to.equal(usual);
    expect(outlook(15_000, 0.02)).to.equal(
      `${usual}; with DATA-STALE and a good battery 0.02 of the last runtime, up to 60 s (failsafe_share)`,
    );
    for (const off of [{ lowBatteryPercent: 0 }, { criticalRuntimeSeconds: 0 }])
      expect(failsafe.outlook({ ...defaults, ...off }, outlookContext)[1]).to.not.contain('DATA-STALE');
    expect(outlook(59_999, 0.02)).to.contain('DATA-STALE');
    expect(outlook(60_000, 0.02)).to.not.contain('DATA-STALE');
  });
});
