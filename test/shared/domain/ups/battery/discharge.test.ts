import { expect } from 'chai';
import type { ComparedDischarge } from '../../../../../shared/domain/ups/battery/capacity.js';
import {
  capacityOf,
  fallOf,
  isComparableDischarge,
  meanLoad,
  workRatio,
} from '../../../../../shared/domain/ups/battery/capacity.js';
import type { DischargeSample, Recording } from '../../../../../shared/domain/ups/battery/discharge.js';
import {
  beginRecording,
  curveOf,
  addInterruption,
  maxCurvePoints,
  addSample,
} from '../../../../../shared/domain/ups/battery/discharge.js';

const sampleAt = (seconds: number, given: Partial<DischargeSample> = {}): DischargeSample => ({
  atMs: 1_000_000 + seconds * 1000,
  charge: null,
  volts: null,
  load: 20,
  watts: 200,
  ...given,
});

function recording(samples: readonly DischargeSample[]): Recording {
  const [first, ...rest] = samples;
  if (first === undefined) throw new Error('no sample');
  return rest.reduce(addSample, beginRecording(first));
}

interface Course {
  /** Seconds from 100 % to 0. */
  readonly full: number;
  readonly seconds: number;
  readonly load?: number;
  readonly from?: number;
  readonly charge?: (percent: number) => number | null;
  readonly volts?: (percent: number) => number | null;
}

function discharge({
  full,
  seconds,
  load = 20,
  from = 100,
  charge = Math.round,
  volts,
}: Course): ComparedDischarge {
  const samples = Array.from({ length: seconds + 1 }, (_, at) => {
    const percent = Math.max(0, from - (100 * at) / full);
    return sampleAt(at, { charge: charge(percent), volts: volts?.(percent) ?? null, load, watts: load * 10 });
  });
  const curve = curveOf(recording(samples));
  return { curve, load: meanLoad(curve), isMeasured: true, capacity: 1 };
}

describe('the curve of a discharge', () => {
  it('has at most one point a second, and 200 in all, with the first and the last sample', () => {
    const often = Array.from({ length: 301 }, (_, place) => sampleAt(place / 10));
    expect(curveOf(recording(often)).map(({ seconds }) => seconds)).to.deep.equal(
      Array.from({ length: 31 }, (_, at) => at),
    );
    for (const length of [200, 201, 398, 399, 400, 401, 5_000, 86_400]) {
      const curve = curveOf(recording(Array.from({ length }, (_, at) => sampleAt(at))));
      expect(curve.length, String(length)).to.be.within(Math.min(length, 100), maxCurvePoints);
      expect([curve[0]?.seconds, curve.at(-1)?.seconds], String(length)).to.deep.equal([0, length - 1]);
    }
  });

  it('counts the energy, and none once the power is unknown', () => {
    const curve = curveOf(recording([0, 1800, 3600].map((at) => sampleAt(at))));
    expect(curve.map(({ wh }) => wh)).to.deep.equal([0, 100, 200]);
    const unknown = curveOf(recording([sampleAt(0), sampleAt(10, { watts: null }), sampleAt(20)]));
    expect(unknown.map(({ wh }) => wh)).to.deep.equal([0, null, null]);
  });

  it('counts no time while it is interrupted, and none for a clock that was set back', () => {
    const before = recording([sampleAt(0), sampleAt(10)]);
    const after = addSample(addInterruption(before), sampleAt(50));
    expect([after.seconds, addSample(after, sampleAt(55)).seconds]).to.deep.equal([10, 15]);
    const back = addSample(before, sampleAt(-3600));
    expect([back.seconds, addSample(back, sampleAt(-3590)).seconds]).to.deep.equal([10, 20]);
  });
});

describe('the capacity of a discharge', () => {
  const first = discharge({ full: 3600, seconds: 2000 });

  for (const capacity of [1, 0.8, 0.5])
    it(`is ${String(capacity)} for a battery that lasts that much of the first`, () => {
      const later = discharge({ full: 3600 * capacity, seconds: 1200 });
      expect(capacityOf(later, [first])).to.be.closeTo(capacity, 0.03 * capacity);
    });

  it('compares the same fall, wherever each began and ended', () => {
    const partial = discharge({ full: 2880, seconds: 1000, from: 80 });
    expect(workRatio(partial, first)).to.be.closeTo(0.8, 0.03);
    expect(workRatio(first, partial)).to.be.closeTo(1.25, 0.05);
  });

  it('is not compared at a load that differs by more than 10 points or a third, and corrected within', () => {
    expect(workRatio(discharge({ full: 1800, seconds: 900, load: 27 }), first)).to.equal(null);
    const [high, higher] = [50, 61].map((load) => discharge({ full: 1800, seconds: 900, load }));
    expect(high !== undefined && higher !== undefined && workRatio(high, higher)).to.equal(null);
    const heavier = discharge({ full: 3600 * (20 / 26) ** 1.2, seconds: 900, load: 26 });
    expect(workRatio(heavier, first)).to.be.closeTo(1, 0.03);
  });

  it('is not known without a fall of 10 points in common', () => {
    expect(workRatio(discharge({ full: 3600, seconds: 300 }), first)).to.equal(null);
    expect(workRatio(discharge({ full: 3600, seconds: 600, from: 40 }), first)).to.equal(null);
    expect(isComparableDischarge(discharge({ full: 3600, seconds: 300 }))).to.equal(false);
  });

  it('is not disturbed by single readings that are wrong', () => {
    let place = 0;
    const charge = (percent: number): number => ((place += 1) % 40 === 7 ? 3 : Math.round(percent));
    const noisy = discharge({ full: 2880, seconds: 1500, charge });
    expect(workRatio(noisy, first)).to.be.closeTo(0.8, 0.04);
    expect(fallOf(noisy.curve)).to.be.closeTo(52, 3);
  });

  it('is seen by the voltage where there is no charge, or one that stays at 100 %', () => {
    const volts = (percent: number): number => 22 + (percent / 100) * 3;
    const courses = [{ charge: () => null }, { charge: () => 100 }];
    for (const { charge } of courses) {
      const before = discharge({ full: 3600, seconds: 2000, charge, volts });
      const later = discharge({ full: 2520, seconds: 1500, charge, volts });
      expect(workRatio(later, before)).to.be.closeTo(0.7, 0.03);
    }
  });

  it('is not known of a UPS that reports no charge and no voltage, or no load', () => {
    const silent = discharge({ full: 3600, seconds: 2000, charge: () => null });
    expect([workRatio(silent, first), isComparableDischarge(silent), fallOf(silent.curve)]).to.deep.equal([
      null,
      false,
      0,
    ]);
    const unknown = { ...first, load: null };
    expect([workRatio(unknown, first), isComparableDischarge(unknown)]).to.deep.equal([null, false]);
  });

  it('uses the load where the power is only computed from it', () => {
    const later = { ...discharge({ full: 2880, seconds: 1200 }), isMeasured: false };
    expect(
      workRatio({ ...later, curve: later.curve.map((point) => ({ ...point, wh: null })) }, first),
    ).to.be.closeTo(0.8, 0.03);
  });
});
