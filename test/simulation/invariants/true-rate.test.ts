import { expect } from 'chai';
import { defaultTriggers } from '../../transcript/trigger-words.js';
import { instantDriver } from '../generator/drivers.js';
import { ups } from './played.js';
import { TrueRate } from './true-rate.js';

describe('the rate of the true battery', () => {
  /** Of a battery that loses 10 points a minute, whose answers have these charges at these seconds; null: none. */
  const mayExceed = (
    criticalRate: number,
    answers: readonly (readonly [number, number | null])[],
    step = 10,
  ): boolean => {
    const rate = new TrueRate();
    for (const [second, shown] of answers) {
      const truth = { chargePercent: shown, runtimeSeconds: null, isLow: false, wrongSamples: 0 };
      rate.answered(shown, step, { ...truth, drainPerMinute: 10 }, second * 1_000);
    }
    const depletion = { ...defaultTriggers.depletion, windowMs: 300_000, criticalRate };
    const { policy } = ups('a', { checkIntervalMs: 1_000, triggers: { ...defaultTriggers, depletion } });
    return rate.mayExceed(policy, instantDriver);
  };

  it('is measured faster by as much as the answer with the first fall is late', () => {
    for (const [between, rate, expected] of [
      [[], 14, true],
      [[], 16, false],
      [[[7, 90]], 14, false],
      [[[7, 0]], 14, true],
      [[[7, null]], 14, true],
    ] as const)
      expect(mayExceed(rate, [[0, 90], ...between, [15, 80]])).to.equal(expected);
  });

  it('counts the time in which a gauge stood that falls by more than its step', () => {
    const answers = [...Array(16).keys()].map((second) => [second, second < 15 ? 90 : 80] as const);
    expect([10, 0].map((step) => mayExceed(14, answers, step))).to.deep.equal([false, true]);
  });
});
