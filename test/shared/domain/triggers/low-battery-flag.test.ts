import { expect } from 'chai';
import {
  isFlagContradicted,
  lowBatteryFlag as trigger,
} from '../../../../shared/domain/triggers/low-battery-flag.js';
import type { TriggerSettings } from '../../../../shared/domain/triggers/table.js';
import type { Facts } from '../../../../shared/domain/triggers/trigger.js';
import { defaults, facts, outlookContext } from './facts.js';

const flagged = (own: Partial<Facts> = {}): Facts => facts({ lowBatteryFlag: true, ...own });
const battery = (volts: string, nominal: string): Partial<Facts> => ({
  variables: { 'battery.voltage': volts, 'battery.voltage.nominal': nominal },
});

describe('LB', () => {
  const contradictions: readonly (readonly [
    why: string,
    isContradicted: boolean,
    own: Partial<Facts>,
    settings?: Partial<TriggerSettings>,
  ])[] = [
    ['is contradicted by a charge and a runtime far above their thresholds', true, {}],
    ['is contradicted only where it is shown', false, { lowBatteryFlag: false }],
    ['is not contradicted with RB', false, { isBatterySuspect: true }],
    ['is not contradicted without a charge', false, { chargePercent: null }],
    ['is not contradicted without a runtime', false, { runtimeSeconds: null }],
    ['is not contradicted where LOW_BATTERY is off', false, {}, { lowBatteryPercent: 0 }],
    ['is contradicted where its threshold is half a percent', true, {}, { lowBatteryPercent: 0.5 }],
    ['is not contradicted where CRITICAL_RUNTIME is off', false, {}, { criticalRuntimeSeconds: 0 }],
    ['is contradicted where its threshold is half a second', true, {}, { criticalRuntimeSeconds: 0.5 }],
    ['is not contradicted by 40 %, twice the threshold', false, { chargePercent: 40 }],
    ['is contradicted by 40.1 %', true, { chargePercent: 40.1 }],
    ['is not contradicted by 20 min, twice the threshold', false, { runtimeSeconds: 1200 }],
    ['is contradicted by 20 min 1 s', true, { runtimeSeconds: 1201 }],
    ['is not contradicted by a charge that has lost a tenth', false, { atTransfer: first(100, null) }],
    ['is contradicted by a charge that has lost less', true, { atTransfer: first(99.9, null) }],
    [
      'is not contradicted by a runtime that has lost a tenth',
      false,
      { runtimeSeconds: 2700, atTransfer: first(null, 3000) },
    ],
    [
      'is contradicted by a runtime that has lost less',
      true,
      { runtimeSeconds: 2701, atTransfer: first(null, 3000) },
    ],
    ['is contradicted at the nominal voltage of the battery', true, battery('120', '120')],
    ['is not contradicted below it', false, battery('119.9', '120')],
    ['is not contradicted at 0.7 of it', false, battery('84', '120')],
    ['is contradicted below 0.7 of it, the voltage of another pack', true, battery('83.9', '120')],
  ];
  for (const [why, isContradicted, own, settings] of contradictions)
    it(why, () => {
      expect(isFlagContradicted(flagged(own), { ...defaults, ...settings })).to.equal(isContradicted);
    });

  function first(charge: number | null, runtime: number | null): Facts['atTransfer'] {
    return { charge, runtime };
  }

  it('waits for 5 s of the stabilization delay at most', () => {
    const worn = flagged({ isBatterySuspect: true });
    const delay = (stabilizationMs: number) => trigger.delayMs({ ...defaults, stabilizationMs }, worn);
    expect([0, 4999, 5000, 5001, 30_000].map(delay)).to.deep.equal([0, 4999, 5000, 5000, 5000]);
    expect(trigger.delayName(defaults, worn)).to.equal('the stabilization delay');
  });

  it('waits for the longer of both delays while it is contradicted: 15 s', () => {
    const delay = (lowBatteryFlagDelayMs: number) =>
      trigger.delayMs({ ...defaults, lowBatteryFlagDelayMs }, flagged());
    expect([2000, 5001, 15_000].map(delay)).to.deep.equal([5000, 5001, 15_000]);
    expect(trigger.delayMs(defaults, flagged())).to.equal(15_000);
    expect(trigger.delayName(defaults, flagged())).to.contain('low_battery_flag_delay');
  });

  it('is in doubt until it was shown for longer than the hold of the status, at most 5 s', () => {
    const doubt = (lowBatteryFlagMs: number, own: Partial<Facts> = {}) =>
      trigger.doubtMs(defaults, flagged({ lowBatteryFlagMs, ...own }));
    expect([0, 1999, 2000, 2001].map((ms) => doubt(ms))).to.deep.equal([2001, 2, 1, 0]);
    const snmp = { variables: { 'driver.name': 'snmp-ups' } };
    expect([0, 5000, 5001].map((ms) => doubt(ms, snmp))).to.deep.equal([5001, 1, 0]);
    expect(doubt(0, { holdSettings: { valueMs: null, statusMs: 0 } }), 'status_hold = 0').to.equal(0);
  });

  it('is not in doubt where charge or runtime are at most at their thresholds', () => {
    const isDoubted = (own: Partial<Facts>) => trigger.doubtMs(defaults, flagged(own)) > 0;
    for (const [own, isIt] of [
      [{ chargePercent: 20 }, false],
      [{ chargePercent: 20.1 }, true],
      [{ runtimeSeconds: 600 }, false],
      [{ runtimeSeconds: 601 }, true],
      [{ chargePercent: null, runtimeSeconds: null }, true],
    ] as const)
      expect(isDoubted(own), JSON.stringify(own)).to.equal(isIt);
  });

  it('is a trigger only with trigger_on_low_battery_flag', () => {
    const ignored = { ...defaults, lowBatteryFlag: false };
    expect([trigger.isOn(defaults), trigger.isOn(ignored)]).to.deep.equal([true, false]);
    expect(trigger.isMet(flagged(), defaults)).to.equal(true);
    expect(trigger.isMet(facts(), defaults)).to.equal(false);
    expect(trigger.isMet(flagged(), ignored)).to.equal(false);
    expect(trigger.outlook(ignored, outlookContext)).to.deep.equal(['low-battery flag', 'ignored']);
  });

  it('is shown as 1 or 0', () => {
    expect(trigger.measure(flagged(), defaults)).to.include({ reading: 1, words: 'LB is shown' });
    expect(trigger.measure(facts(), defaults)).to.include({ reading: 0, words: 'no LB' });
  });

  it('names only the waits that it has', () => {
    const outlook = (stabilizationMs: number, lowBatteryFlagDelayMs: number) =>
      trigger.outlook({ ...defaults, stabilizationMs, lowBatteryFlagDelayMs }, outlookContext)[1];
    const contradicted = 's where charge and runtime contradict it';
    expect(outlook(5001, 15_000)).to.equal(`LB; waits 5 s at most, 15 ${contradicted}`);
    expect(outlook(4000, 4_001)).to.equal(`LB; waits 4.001 ${contradicted}`);
    expect(outlook(5000, 5_000), 'no longer than it waits anyway').to.equal('LB');
    expect(outlook(5000, 0)).to.equal('LB');
  });
});
