// When charge and runtime show a battery that gives, beside a status that does not say so.
import { expect } from 'chai';
import type { BatteryValues } from '../../../../supervisor/policy/power/battery-fall.js';
import {
  confirmedFellMs,
  fallAfter,
  fellMs,
  lowsAfter,
  lowsAt,
  noFall,
} from '../../../../supervisor/policy/power/battery-fall.js';

type Values = Partial<BatteryValues>;
type Reading = readonly [second: number, values: Values];
const minutes = 60_000;

const valuesOf = (values: Values): BatteryValues => ({ charge: null, runtime: null, load: null, ...values });

const after = (...readings: readonly Reading[]) =>
  readings.reduce((fall, [second, values]) => fallAfter(fall, valuesOf(values), second * 1000), noFall(0));

/** For each of these readings, in seconds: the second in which the fall began that is confirmed then. */
function begins(...readings: readonly Reading[]): readonly (number | null)[] {
  let fall = noFall(0);
  return readings.map(([second, values]) => {
    const all = valuesOf(values);
    fall = fallAfter(fall, all, second * 1000);
    const beganMs = confirmedFellMs(fall, all, 2, 8_000, second * 1000);
    return beganMs === null ? null : beganMs / 1000;
  });
}

const last = (...readings: readonly Reading[]): number | null | undefined => begins(...readings).at(-1);
const charges = (...percents: readonly number[]) =>
  begins(...percents.map((charge, second) => [second, { charge }] as const));

describe('a fall of the charge', () => {
  it('is 3 points in two readings in a row, since the first lower one', () => {
    expect(charges(94, 93, 91, 91)).to.deep.equal([null, null, null, 1]);
    expect(charges(94, 91, 92, 91)).to.deep.equal([null, null, null, null]);
    expect(charges(94, 92, 92, 92)).to.deep.equal([null, null, null, null]);
    expect(charges(94, 91, 95, 92, 92)).to.deep.equal([null, null, null, null, 3]);
  });

  it('counts within an hour at most: a battery at rest drifts by points over days', () => {
    const drift = [0, 31, 62, 93].flatMap((minute, place) => [
      [minute * 60, { charge: 94 - place }] as const,
      [minute * 60 + 1, { charge: 94 - place }] as const,
    ]);
    expect(last(...drift)).to.equal(null);
    expect(last([0, { charge: 94 }], [1_799, { charge: 91 }], [1_800, { charge: 91 }])).to.equal(1_799);
  });

  it('is one below this half hour or the one before', () => {
    const high = [0, { charge: 94 }] as const;
    const low = (second: number) => [second, { charge: 91 }] as const;
    const within = [900, 1_800, 2_700].map((second) => [second, { charge: 93 }] as const);
    expect(last(high, ...within, low(3_599), low(3_599.999))).to.equal(900);
    expect(last(high, ...within, low(3_599.999), low(3_600))).to.equal(null);
    expect(last(high, [1_800, { charge: 92 }], low(1_801), low(3_599.999))).to.equal(1_800);
  });

  it('goes on over a reading without a charge, which shows none itself', () => {
    expect(last([0, { charge: 94 }], [1, { charge: 91 }], [2, {}], [3, { charge: 91 }])).to.equal(1);
    const unread = [1, {}] as const;
    expect(last([0, { charge: 94 }], unread, [2, { charge: 91 }], [3, { charge: 91 }])).to.equal(2);
    const falling = after([0, { charge: 94, runtime: 1000 }], [1, { charge: 93, runtime: 990 }]);
    expect(fellMs(falling, valuesOf({}))).to.equal(null);
  });
});

describe('a fall of charge and runtime', () => {
  it('began with the earlier of both', () => {
    const began = (charge: number, runtime: number) => {
      const high = [0, { charge: 94, runtime: 1000 }] as const;
      const low = { charge: 91, runtime: 940 };
      return fellMs(after(high, [10, { charge, runtime }], [20, low]), valuesOf(low));
    };
    expect([began(94, 940), began(91, 1000), began(94, 1000)]).to.deep.equal([10_000, 10_000, 20_000]);
  });
});

describe('a fall of the runtime', () => {
  it('is 5 % for longer than the hold, with a load that has not risen', () => {
    const high = [0, { runtime: 1000, load: 25 }] as const;
    const low = (second: number, runtime: number, load = 24) => [second, { runtime, load }] as const;
    expect(last(high, low(10, 950), low(18, 950))).to.equal(null);
    expect(last(high, low(10, 950), low(19, 950))).to.equal(10);
    expect(last(high, low(10, 951), low(19, 951))).to.equal(null);
    expect(last(high, low(10, 950), [14, { load: 24 }], low(19, 950))).to.equal(10);
  });

  it('is more than the risen load explains, within its grain', () => {
    const high = [0, { runtime: 1000, load: 25 }] as const;
    const both = (runtime: number, load: number) => [
      [10, { runtime, load }] as const,
      [19, { runtime, load }] as const,
    ];
    expect(last(high, ...both(900, 25))).to.equal(null);
    expect(last(high, ...both(870, 25))).to.equal(10);
    expect(last(high, ...both(300, 50))).to.equal(null);
    expect(last(high, ...both(220, 50))).to.equal(10);
    expect(last([0, { runtime: 1000 }], ...both(940, 50))).to.equal(10);
  });

  it('is measured from the readings with the load of the present one too', () => {
    const readings = [4620, 3600, 3600, 3000, 3000].map(
      (runtime, place) => [place * 10, { runtime, load: place === 0 ? 25 : 33 }] as const,
    );
    expect(last(...readings)).to.equal(30);
    const jitter = Array.from({ length: 60 }, (_, place) => {
      const load = 25 + (place % 2);
      return [place, { runtime: Math.round((4620 - place * 20) * (25 / load)), load }] as const;
    });
    expect(last(...jitter)).to.equal(1);
  });

  it('is none of 0 s, and one of the last second', () => {
    const both = (runtime: number) => [[10, { runtime }] as const, [19, { runtime }] as const];
    expect(last([0, { runtime: 0 }], ...both(0))).to.equal(null);
    expect(last([0, { runtime: 1 }], ...both(0))).to.equal(10);
  });

  it('is measured from the highest runtime of each load from which no higher load had as much', () => {
    const highs = (...readings: readonly (readonly [runtime: number, load: number | null])[]) =>
      after(
        ...readings.map(([runtime, load], second) => [second, { runtime, load }] as const),
      ).runtime.now.map(({ value, load }) => [value, load]);
    expect(highs([1000, 25], [1000, 25], [990, 25], [980, 20])).to.deep.equal([[1000, 25]]);
    expect(highs([1000, 25], [900, 50])).to.deep.equal([
      [1000, 25],
      [900, 50],
    ]);
    expect(highs([1000, 50], [1000, 25])).to.deep.equal([[1000, 50]]);
    expect(highs([1000, 50], [1100, 25])).to.deep.equal([
      [1000, 50],
      [1100, 25],
    ]);
    expect(highs([1000, 25], [1100, 25.4], [1200, 50])).to.deep.equal([[1200, 50]]);
    expect(highs([1000, 25], [1100, null])).to.deep.equal([[1100, null]]);
    expect(highs([1000, null], [1100, 25])).to.deep.equal([[1100, 25]]);
    expect(highs([1000, null], [900, 25])).to.deep.equal([[1000, null]]);
    expect(highs([1000, 25], [900, null])).to.deep.equal([[1000, 25]]);
  });

  it('is measured from a high load after a higher runtime of a low one', () => {
    const high = [0, { runtime: 1000, load: 50 }] as const;
    const low = (second: number) => [second, { runtime: 900, load: 50 }] as const;
    expect(last(high, [1, { runtime: 1100, load: 25 }], low(10), low(19))).to.equal(10);
  });
});

describe('the lowest values of an outage', () => {
  it('are reached with a lower charge, or a runtime lower by a hundredth', () => {
    const lows = lowsAt({ charge: 90, runtime: 1000, load: null }, 0);
    const reached = (values: Values) =>
      lowsAfter(lows, { charge: null, runtime: null, load: null, ...values }, minutes).reachedMs;
    expect([reached({ charge: 89 }), reached({ charge: 90 })]).to.deep.equal([minutes, 0]);
    expect([reached({ runtime: 990 }), reached({ runtime: 991 })]).to.deep.equal([minutes, 0]);
    const unread = lowsAt({ charge: null, runtime: null, load: null }, 0);
    expect(lowsAfter(unread, { charge: 50, runtime: null, load: null }, minutes).charge).to.equal(50);
    const kept = (charge: number, runtime: number) =>
      lowsAfter(lows, { charge, runtime, load: null }, minutes);
    expect(kept(95, 900)).to.deep.equal({ charge: 90, runtime: 900, reachedMs: minutes });
    expect(kept(89, 1100)).to.deep.equal({ charge: 89, runtime: 1000, reachedMs: minutes });
  });
});
