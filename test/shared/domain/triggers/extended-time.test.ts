import { expect } from 'chai';
import { extendedTime as trigger } from '../../../../shared/domain/triggers/extended-time.js';
import type { Course } from '../../../../shared/domain/triggers/trigger.js';
import { defaults, facts, outlookContext } from './facts.js';

const off = { ...defaults, extendedTime: { ...defaults.extendedTime, enabled: false } };
const battery = (batteryTimeMs: number, onBatteryMs = batteryTimeMs) => facts({ batteryTimeMs, onBatteryMs });

describe('EXTENDED_TIME', () => {
  it('is met after more than 15 min of battery', () => {
    expect(trigger.isMet(battery(900_000), defaults)).to.equal(false);
    expect(trigger.isMet(battery(900_001), defaults)).to.equal(true);
    expect(trigger.isMet(battery(900_001, 1000), defaults), 'by the outages before').to.equal(true);
  });

  it('is off with extended_time.enabled = false', () => {
    expect([trigger.isOn(defaults), trigger.isOn(off)]).to.deep.equal([true, false]);
    expect(trigger.isMet(battery(900_001), off)).to.equal(false);
    expect(trigger.outlook(off, outlookContext)[1]).to.equal('ignored');
    expect(trigger.outlook(defaults, outlookContext)[1]).to.contain('more than 900 s');
  });

  it('names the outages before where they have a part in it', () => {
    const before = ' with the outages before';
    expect(trigger.reason(battery(901_000), defaults)).to.not.contain(before);
    expect(trigger.reason(battery(901_000, 900_999), defaults)).to.contain(`for 15 min 1 s${before}, longer`);
    const measure = trigger.measure(battery(100_999, 1000), defaults);
    expect(measure).to.deep.equal({
      what: 'time on battery',
      threshold: 900,
      reading: 100,
      margin: 800,
      words: `time on battery 100 s${before}, it fires above 900 s (extended_time.threshold)`,
    });
    expect(trigger.measure(battery(100_000), defaults).reading).to.equal(100);
  });

  it('is expected when the rest of the time is over', () => {
    expect(trigger.untilMet({ batteryTimeMs: 100_000 } as Course, 900, defaults)).to.equal(800_000);
  });
});
