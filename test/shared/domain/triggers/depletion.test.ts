import { expect } from 'chai';
import { depletion as trigger } from '../../../../shared/domain/triggers/depletion.js';
import type { TriggerSettings } from '../../../../shared/domain/triggers/table.js';
import type { Course, Facts } from '../../../../shared/domain/triggers/trigger.js';
import { defaults, facts, outlookContext } from './facts.js';

const withRate = (criticalRate: number): TriggerSettings => ({
  ...defaults,
  depletion: { ...defaults.depletion, criticalRate },
});

describe('DEPLETION', () => {
  it('is met above 15 % a minute, from 90 s on battery on', () => {
    const isMet = (depletionRate: number | null, onBatteryMs: number) =>
      trigger.isMet(facts({ depletionRate, onBatteryMs }), defaults);
    expect(isMet(15.01, 90_000)).to.equal(true);
    expect(isMet(15, 90_000)).to.equal(false);
    expect(isMet(15.01, 89_999)).to.equal(false);
    expect(isMet(null, 90_000), 'no rate').to.equal(false);
    expect(trigger.isMet(facts({ chargePercent: null }), defaults), 'no charge').to.equal(null);
  });

  it('is off with a rate of 10000', () => {
    expect(trigger.isOn(withRate(9999.99))).to.equal(true);
    expect(trigger.isOn(withRate(10_000))).to.equal(false);
    expect(trigger.outlook(withRate(10_000), outlookContext)).to.deep.equal(['charge falls', 'ignored']);
    expect(trigger.outlook(withRate(9999), outlookContext)[1]).to.contain('faster than 9999 % a minute');
  });

  describe('by two falls only', () => {
    const wait = (own: Partial<Facts>, critical = 600): number =>
      trigger.doubtMs({ ...defaults, criticalRuntimeSeconds: critical }, facts({ coarseRateMs: 0, ...own }));

    it('waits until 120 s after the second', () => {
      const after = [0, 1000, 119_999, 120_000, 121_000];
      expect(after.map((coarseRateMs) => wait({ coarseRateMs }))).to.deep.equal([120_000, 119_000, 1, 0, 0]);
      expect(wait({ coarseRateMs: null }), 'by three falls').to.equal(0);
    });

    it('waits only where the runtime is above twice its threshold', () => {
      expect(wait({ runtimeSeconds: 1201 })).to.equal(120_000);
      expect(wait({ runtimeSeconds: 1200 })).to.equal(0);
      expect(wait({ runtimeSeconds: 1201 }, 0), 'CRITICAL_RUNTIME is off').to.equal(0);
      expect(wait({ runtimeSeconds: 3 }, 1), 'a threshold of 1 s').to.equal(120_000);
      expect(wait({ runtimeSeconds: null }, 0.4), 'no runtime').to.equal(0);
    });
  });

  it('says what it waits for: a rate, or the rest of the grace period', () => {
    const unmet = (own: Partial<Facts>, onBatteryMs = 0) => trigger.unmet(facts(own), defaults, onBatteryMs);
    expect(unmet({ depletionRate: null })).to.equal('no rate yet: it needs two falls of the charge');
    expect(unmet({ depletionRate: null, chargePercent: null })).to.equal(null);
    const fast = { depletionRate: 15.01 };
    expect(unmet(fast, 89_000)).to.contain('not counted before 1 s more on battery');
    expect(unmet(fast, 88_999)).to.contain('not counted before 2 s more on battery');
    expect(unmet(fast, 89_999)).to.contain('not counted before 1 s more on battery');
    expect(unmet(fast, 90_000)).to.equal(null);
    expect(unmet({ depletionRate: 15 }, 0)).to.equal(null);
  });

  it('is expected at the end of the grace period, where the charge falls fast enough', () => {
    const until = (depletionRate: number | null, settings: TriggerSettings | null = defaults) => {
      const course = { depletionRate, onBatteryMs: 60_000 } as Course;
      return trigger.untilMet(course, 15, settings);
    };
    expect(until(15.01)).to.equal(30_000);
    expect(until(15)).to.equal(null);
    expect(until(null)).to.equal(null);
    expect(until(15.01, null), 'the page has no settings').to.equal(null);
  });

  describe('in words', () => {
    const waits = 'two falls alone';
    const words = (settings: TriggerSettings, depletionRate: number | null = null) => [
      trigger.measure(facts({ depletionRate }), settings).words,
      trigger.outlook(settings, outlookContext)[1],
    ];

    it('says how long two falls alone wait', () => {
      const [measure, outlook] = words(defaults);
      expect(measure).to.contain('depletion unknown').and.contain(`${waits} 2 min later`);
      expect(outlook).to.equal(
        'faster than 15 % a minute, after 90 s on battery; two falls alone 120 s later, where the runtime contradicts them (depletion.runtime_hold)',
      );
      expect(words(defaults, 5)[0], 'a rate that is known').to.not.contain(waits);
    });

    it('says nothing of a wait that there is not', () => {
      const without = {
        'DEPLETION is off': withRate(10_000),
        'runtime_hold = 0': { ...defaults, depletion: { ...defaults.depletion, runtimeHoldMs: 0 } },
        'CRITICAL_RUNTIME is off': { ...defaults, criticalRuntimeSeconds: 0 },
      };
      for (const [why, settings] of Object.entries(without))
        for (const text of words(settings)) expect(text, why).to.not.contain(waits);
    });
  });

  it('has as its reason the rate, or that it was read before', () => {
    expect(trigger.reason(facts({ depletionRate: 16 }), defaults)).to.equal(
      'depletion 16 %/min, above depletion.critical_rate 15 %/min',
    );
    expect(trigger.reason(facts(), defaults)).to.contain('depletion (as last read) above');
  });
});
