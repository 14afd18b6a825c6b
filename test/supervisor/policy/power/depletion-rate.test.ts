import { expect } from 'chai';
import type { Depletion } from '../../../../supervisor/policy/power/depletion-rate.js';
import {
  coarseRateMs,
  depletionAfterCharge,
  isAfterSilence,
  leastRateMs,
  noDepletion,
} from '../../../../supervisor/policy/power/depletion-rate.js';
import { reading, settingsOf, Stepper } from '../stream.js';

type Charges = readonly (readonly [seconds: number, percent: number])[];

/** After these charges, in seconds; a window of five minutes, and half a minute after the first fall is enough. */
function after(...charges: Charges): Depletion {
  const settings = { windowMs: 300_000, leastMs: 30_000, settledMs: 0 };
  return charges.reduce<Depletion>(
    (depletion, [seconds, percent]) =>
      depletionAfterCharge(depletion, { atMs: seconds * 1000, percent }, settings),
    noDepletion,
  );
}
const rate = (...charges: Charges) => after(...charges).rate;

describe('a depletion rate', () => {
  it('is measured from fall to fall, in points per minute', () => {
    expect(rate([0, 100], [5, 99], [65, 98])).to.equal(1);
    expect(rate([0, 100], [50, 90], [80, 80], [110, 70])).to.equal(20);
  });

  it('is rounded to two decimals', () => {
    expect(rate([0, 100], [10, 80], [69.986, 60])).to.equal(20);
    expect(rate([0, 100], [10, 80], [69.985, 60])).to.equal(20.01);
  });

  it('is measured of steps that are less than a point too', () => {
    expect(rate([0, 100], [5, 99.5], [65, 99])).to.equal(0.5);
  });

  it('falls until the next fall shows', () => {
    expect(rate([0, 100], [5, 99], [65, 98], [125, 98])).to.equal(0.5);
  });

  it('is missing with a single fall, however large', () => {
    expect(rate([0, 100], [60, 75], [120, 75])).to.equal(null);
  });

  it('is missing too soon after the first fall', () => {
    expect(rate([0, 100], [5, 99], [34.9, 90])).to.equal(null);
    expect(rate([0, 100], [5, 99], [35, 91])).to.equal(2);
  });

  it('needs the time of thirty readings, or of as many as half of the window holds, and at least two', () => {
    const least = (windowSeconds: number, intervalSeconds: number) =>
      leastRateMs(windowSeconds * 1000, intervalSeconds * 1000) / 1000;
    expect([least(300, 1), least(60, 1), least(59, 1), least(8, 1)]).to.deep.equal([29, 29, 28, 3]);
    expect([least(300, 10), least(300, 60), least(10, 60)]).to.deep.equal([140, 60, 60]);
  });

  it('leaves out the largest fall, wherever it is', () => {
    expect(rate([0, 100], [60, 99], [70, 79], [120, 78])).to.equal(2);
    expect(rate([0, 100], [10, 75], [60, 74], [130, 73])).to.equal(1);
  });

  it('does not count a gauge that goes up and down as falls', () => {
    const noise = Array.from({ length: 60 }, (_, second) => [second * 2, 95 - (second % 2)] as const);
    expect(after(...noise).levels).to.have.length(2);
    expect(rate(...noise)).to.equal(null);
  });

  it('takes falls back that the charge rises above, and keeps the time of those that it does not', () => {
    expect(after([0, 100], [10, 90], [20, 80], [30, 85]).levels).to.deep.equal([
      { atMs: 0, percent: 100 },
      { atMs: 10_000, percent: 90 },
      { atMs: 20_000, percent: 85 },
    ]);
    expect(after([0, 100], [10, 90], [20, 80], [30, 90]).levels).to.have.length(2);
    expect(after([0, 80], [10, 70], [20, 95]).levels).to.deep.equal([{ atMs: 0, percent: 95 }]);
  });

  it('is that up to now, of a fall that was shown before it counted', () => {
    const settings = { windowMs: 300_000, leastMs: 30_000, settledMs: 0 };
    const two = depletionAfterCharge(
      after([0, 100], [10, 80]),
      { atMs: 70_000, percent: 60 },
      settings,
      130_000,
    );
    expect(two.rate).to.equal(10);
  });

  it('leaves out what fell before the window, but for the last two falls', () => {
    expect(rate([0, 100], [10, 50], [100, 49], [160, 48], [310, 47])).to.equal(0.6);
    expect(rate([0, 100], [10, 50], [100, 49], [160, 48], [310.1, 47])).to.equal(0.57);
    expect(rate([0, 100], [10, 99], [610, 98])).to.equal(0.1);
    expect(rate([0, 100], [10, 90], [20, 89], [30, 88], [700, 88])).to.equal(0.09);
  });

  it('leaves out what fell in the stabilization delay once there may be a later rate', () => {
    const settings = { windowMs: 300_000, leastMs: 30_000, settledMs: 30_000 };
    const fall = (depletion: Depletion, [seconds, percent]: readonly [number, number]) =>
      depletionAfterCharge(depletion, { atMs: seconds * 1000, percent }, settings);
    const sag = (
      [
        [0, 100],
        [5, 92],
        [10, 84],
        [40, 83],
      ] as const
    ).reduce(fall, noDepletion);
    expect(fall(sag, [59, 83]).rate).to.equal(10);
    expect(fall(sag, [60, 83]).levels).to.deep.equal([
      { atMs: 10_000, percent: 84 },
      { atMs: 40_000, percent: 83 },
    ]);
  });
});

describe('a rate of two falls', () => {
  const read = (depletion: Depletion, seconds: number) =>
    coarseRateMs({ ...depletion, runtimeReadMs: seconds * 1000 }, 100_000);

  it('is coarse where the runtime was read anew since the first fall', () => {
    const two = after([0, 100], [40, 80], [80, 60]);
    expect(read(two, 41)).to.equal(20_000);
    expect(read(two, 40)).to.equal(null);
    expect(coarseRateMs(two, 100_000)).to.equal(null);
  });

  it('is not coarse with a third fall, or without a rate', () => {
    expect(read(after([0, 100], [40, 80], [60, 60], [80, 59]), 81)).to.equal(null);
    expect(read(after([0, 100], [60, 80], [80, 60]), 81)).to.equal(null);
  });
});

describe('a silence', () => {
  it('is longer than any driver holds a value: 60 s between two requests', () => {
    const [last] = new Stepper(settingsOf('ups a'))
      .polls('a', reading('OB'), 1)
      .state.ups.map((ups) => ups.readings.last);
    const after = (ms: number) => isAfterSilence(last ?? null, (last?.askedMs ?? NaN) + ms);
    expect([60_000, 60_001].map(after)).to.deep.equal([false, true]);
    expect(isAfterSilence(null, 90_000)).to.equal(false);
  });
});

describe('a charge of readings that wait while the daemon stands still', () => {
  it('falls when they were asked for, also where it is in doubt', () => {
    const stepper = new Stepper(settingsOf('ups a')).polls('a', reading('OL', { chargePercent: 100 }), 3);
    const transferMs = stepper.polls('a', reading('OB', { chargePercent: 100 }), 1).nowMs;
    stepper.nowMs += 300_000;
    for (const [second, chargePercent] of [
      [60, 99],
      [120, 80],
      [180, 79],
      [240, 78],
    ] as const) {
      const outcome = reading('OB', { chargePercent });
      const askedMs = transferMs + second * 1_000;
      stepper.input({ kind: 'polled', groupId: 'a', outcome, at: stepper.at, askedMs });
    }
    const { levels, rate } = stepper.state.ups[0]?.depletion ?? noDepletion;
    const falls = levels.slice(1).map(({ atMs }) => (atMs - transferMs) / 1000);
    expect(falls).to.deep.equal([60, 120, 180, 240]);
    expect(rate).to.equal(1);
  });
});

describe('a charge that fell from one in doubt', () => {
  const levelsAfter = (jumpedMs: number) => {
    const stepper = new Stepper(settingsOf('ups a'));
    const passes = (untilMs: number, charge: number, words = 'OB') => {
      while (stepper.nowMs - 1_000_000 < untilMs)
        stepper.polls('a', reading(words, { chargePercent: charge }), 1);
    };
    passes(jumpedMs < 60_000 ? jumpedMs : 60_000, 0, 'OL');
    if (jumpedMs < 60_000) passes(jumpedMs + 1_000, 100, 'OL');
    passes(60_000, 0, 'OL');
    if (jumpedMs >= 60_000) passes(jumpedMs + 1_000, 100);
    passes(70_000, 99);
    passes(80_000, 98);
    return stepper.state.ups[0]?.depletion.levels.map(({ percent }) => percent);
  };

  it('counts from that one in the same outage, and from none of before it', () => {
    expect(levelsAfter(61_000)).to.deep.equal([100, 99, 98]);
    expect(levelsAfter(20_000)).to.deep.equal([99, 98]);
  });

  it('counts from a jump in the first reading of the outage', () => {
    const stepper = new Stepper(settingsOf('ups a'));
    const passes = (charge: number, words: string, count: number) =>
      stepper.polls('a', reading(words, { chargePercent: charge }), count);
    passes(99, 'OL', 2).polls('a', reading('OL', { chargePercent: 100 }), 2);
    passes(80, 'OB', 3).polls('a', reading('OB', { chargePercent: 79 }), 3);
    expect(stepper.state.ups[0]?.depletion.levels.map(({ percent }) => percent)).to.deep.equal([80, 79]);
  });
});
