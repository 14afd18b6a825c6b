import { expect } from 'chai';
import { powerOf } from '../../../../shared/domain/ups/energy.js';
import type { Reading } from '../../../../shared/domain/ups/reading.js';
import { emptyReading } from '../../../simulation/empty-reading.js';

const empty: Reading = { ...emptyReading, status: ['OL'] };
const half: Reading = { ...empty, loadPercent: 50 };

describe('the power of a reading', () => {
  it('is what the UPS measures, where it does', () => {
    const rated = { 'ups.realpower.nominal': '900' };
    expect(powerOf({ ...half, realPowerWatts: 120 }, rated, 400)).to.deep.equal({ watts: 120, estimated: 0 });
    expect(powerOf({ ...half, loadPercent: 0, realPowerWatts: 0 }, rated, 400)?.watts).to.equal(0);
    expect(powerOf({ ...empty, realPowerWatts: 0 }, rated, 400)?.watts).to.equal(0);
  });

  it('is not the 0 W of a UPS that reports a load with it', () => {
    const zero = { ...half, realPowerWatts: 0 };
    expect(powerOf(zero, { 'ups.realpower.nominal': '900' }, 0)).to.deep.equal({ watts: 450, estimated: 1 });
    expect(powerOf(zero, {}, 0)).to.equal(null);
  });

  it('is estimated from the load and the first rating that is known', () => {
    const both = { 'ups.realpower.nominal': '900', 'ups.power.nominal': '1500' };
    expect(powerOf(half, both, 400)).to.deep.equal({ watts: 200, estimated: 1 });
    expect(powerOf(half, both, 0)).to.deep.equal({ watts: 450, estimated: 1 });
    expect(powerOf(half, { 'ups.power.nominal': '1000' }, 0)).to.deep.equal({ watts: 350, estimated: 2 });
  });

  it('is unknown without a load or a rating, and with one that is no number', () => {
    expect(powerOf(empty, { 'ups.realpower.nominal': '900' }, 400)).to.equal(null);
    expect(powerOf(half, {}, 0)).to.equal(null);
    for (const text of ['', '0', '-5', 'NaN', 'Infinity', '1e9', '99999999999'])
      expect(powerOf(half, { 'ups.realpower.nominal': text }, 0), text).to.equal(null);
  });

  it('is unknown where the UPS reports a power that none has', () => {
    expect(powerOf({ ...half, realPowerWatts: -1 }, {}, 0)).to.equal(null);
    expect(powerOf({ ...half, realPowerWatts: 1e12 }, {}, 0)).to.equal(null);
  });
});
