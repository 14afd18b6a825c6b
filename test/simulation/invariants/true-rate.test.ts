import { expect } from 'chai';
import { defaultTriggers } from '../../transcript/trigger-words.js';
import { instantDriver } from '../generator/drivers.js';
import { ups } from './played.js';
import { TrueRate } from './true-rate.js';

describe('the rate of the true battery', () => {
  /** Of a battery that loses 10 points a minute from 100 s on, whose answers have these charges at these seconds. */
  const mayExceed = (
    criticalRate: number,
    answers: readonly (readonly [number, number | null])[],
  ): boolean => {
    let rate = new TrueRate();
    for (const [second, shown] of answers) {
      const drainPerMinute = second < 100 ? 0 : 10;
      const truth = { chargePercent: shown, runtimeSeconds: null, isLow: false, wrongSamples: 0 };
      if (second <= 101) rate = new TrueRate(rate);
      rate.answered(shown, 10, { ...truth, drainPerMinute }, second * 1_000);
    }
    const depletion = { ...defaultTriggers.depletion, windowMs: 300_000, criticalRate };
    const { policy } = ups('a', { checkIntervalMs: 1_000, triggers: { ...defaultTriggers, depletion } });
    return rate.mayExceed(policy, instantDriver);
  };

  it('is measured faster by as much as the answer with the first fall is late', () => {
    for (const [first, charge, rate, expected] of [
      [102, 90, 11, true],
      [102, 90, 13, false],
      [114, 90, 14, true],
      [114, 90, 16, false],
      [114, 0, 14, true],
      [114, null, 14, true],
    ] as const)
      expect(
        mayExceed(rate, [
          [99, 100],
          [first, charge],
          [first + 1, 90],
        ]),
        `${String(first)} ${String(charge)} ${String(rate)}`,
      ).to.equal(expected);
  });

  it('takes no time in which the battery lost nothing for a late answer', () => {
    expect(
      mayExceed(12, [
        [10, 100],
        [99, 0],
        [101, 90],
      ]),
    ).to.equal(false);
  });
});
