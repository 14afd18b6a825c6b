import { expect } from 'chai';
import { lowBattery as trigger } from '../../../../shared/domain/triggers/low-battery.js';
import { defaults, facts, outlookContext } from './facts.js';

const below = (lowBatteryPercent: number) => ({ ...defaults, lowBatteryPercent });

describe('LOW_BATTERY', () => {
  it('is met strictly below 20 %', () => {
    const isMet = (chargePercent: number | null) => trigger.isMet(facts({ chargePercent }), defaults);
    expect([19.9, 20, null].map(isMet)).to.deep.equal([true, false, null]);
  });

  it('is off with a threshold of 0', () => {
    expect([0, 1, 20].map((percent) => trigger.isOn(below(percent)))).to.deep.equal([false, true, true]);
    const outlook = (percent: number) => trigger.outlook(below(percent), outlookContext)[1];
    expect([0, 1, 20].map(outlook)).to.deep.equal(['ignored', 'below 1 %', 'below 20 %']);
  });

  it('is explained by the charge and its distance to the threshold', () => {
    expect(trigger.measure(facts({ chargePercent: 25 }), defaults)).to.deep.equal({
      what: 'charge',
      threshold: 20,
      reading: 25,
      margin: 5,
      words: 'charge 25 %, it fires below 20 %',
    });
    expect(trigger.measure(facts({ chargePercent: null }), defaults)).to.include({
      margin: null,
      words: 'charge unknown, it fires below 20 %',
    });
  });
});
