import { expect } from 'chai';
import { EnergyTotals } from '../../../supervisor/read-model/energy-totals.js';

describe('the energy of a UPS', () => {
  it('of today, the month and the year is unknown when it was not counted for five minutes', () => {
    let nowMs = 1000;
    const clock = { monotonicMs: () => nowMs, wallSeconds: () => 0 };
    const energy = new EnergyTotals(clock, () => ({
      enabled: true,
      nominalPower: 0,
      costPerKwh: 0.5,
      currency: 'EUR',
    }));
    const kwh = { todayKwh: 2, monthKwh: 3, yearKwh: 4, totalKwh: 5 };
    const count = (): void =>
      energy.counted({ ups: [{ groupId: 'a', ...kwh, estimated: 0, partial: false }] });
    count();
    nowMs += 300_000;
    expect(energy.of('a')).to.include({ todayKwh: 2, todayCost: 1 });
    nowMs += 1;
    expect(energy.of('a')).to.include({ todayKwh: null, monthKwh: null, yearKwh: null, totalKwh: 5 });
    expect(energy.of('a')).not.to.have.property('todayCost');
    count();
    expect(energy.of('a')).to.include({ todayKwh: 2 });
  });
});
